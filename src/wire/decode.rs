//! A response becomes the result of a call.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;

use crate::derive::{Family, Tool};
use crate::document::ResponseFormat;
use crate::document::{FileId, Node, parse, to_json};

use super::charset;
use super::drift;
use super::json::member;
use super::response::{CallResult, Content, HttpResponse, Resource, Rules};
use super::transform;

/// Decodes a response.
///
/// A success with JSON gives its text and, where the tool has an output schema, the structured value; other media types
/// give text, image, audio or an embedded resource. `x-mcp-response-format` on the operation says which; without it a
/// JSON body is JSON and the rest goes by `Content-Type`. Any other status gives `is_error` with everything that the
/// body says. Nothing that came is held back: a body that cannot be read as promised is given as text or base64 with
/// the reason.
///
/// `x-mcp-response-transform` makes something else of the JSON of a success: of its output the text and the structured
/// value are made; as format `text` an output that is text is given as it is. `x-mcp-error-transform` does so with the
/// JSON of a failure. Where a transform fails the body is held back, since it may be there to leave parts out.
pub fn decode(response: &HttpResponse, tool: &Tool, rules: &Rules) -> CallResult {
    let succeeded = match rules.success_status.as_slice() {
        [] => (200..300).contains(&response.status),
        statuses => statuses.contains(&response.status),
    };
    if let Some(limit) = response.cut_at {
        let begin = String::from_utf8_lossy(response.body.get(..response.body.len().min(2000)).unwrap_or_default());
        let message = format!(
            "{}: the body is longer than {limit} bytes; reading stopped there. It begins with:\n{begin}",
            status_line(response.status)
        );
        return CallResult::failure(message);
    }
    if !succeeded {
        return failed(response, tool, rules);
    }
    if response.body.is_empty() {
        let text = format!("{}: the response has no body.", status_line(response.status));
        return CallResult { content: vec![Content::text(text)], ..CallResult::default() };
    }
    let format = tool.operation.mcp.response_format.as_ref().map(|format| format.value);
    let media_type = response.header("content-type").unwrap_or_default();
    match format {
        Some(ResponseFormat::Text) => text(response, tool, rules),
        Some(ResponseFormat::Image) => bytes_as(response, |data, mime_type| Content::Image { data, mime_type }),
        Some(ResponseFormat::Audio) => bytes_as(response, |data, mime_type| Content::Audio { data, mime_type }),
        Some(ResponseFormat::Binary) => CallResult { content: vec![resource(response, tool)], ..CallResult::default() },
        Some(ResponseFormat::Json) => json(response, tool, rules),
        Some(ResponseFormat::Auto) | None if media_type.is_empty() || Family::of(media_type) == Family::Json => {
            json(response, tool, rules)
        }
        Some(ResponseFormat::Auto) | None => by_media_type(response, tool, media_type),
    }
}

/// The body as text; what a transform makes of its JSON, when there is one.
fn text(response: &HttpResponse, tool: &Tool, rules: &Rules) -> CallResult {
    let media_type = response.header("content-type").unwrap_or_default();
    let body = parse_json(&charset::read(&response.body, media_type).0).ok();
    let transformed = body.and_then(|body| transform::response(&tool.operation, &body, rules.transforms.as_deref()));
    match transformed {
        Some(Ok(output)) => {
            let text = output.as_str().map_or_else(|| to_json(&output, false), str::to_owned);
            CallResult { content: vec![Content::text(text)], ..CallResult::default() }
        }
        Some(Err(why)) => held_back(response, &why),
        None => CallResult { content: text_or_bytes(response, tool, None), ..CallResult::default() },
    }
}

fn held_back(response: &HttpResponse, why: &str) -> CallResult {
    let status = status_line(response.status);
    CallResult::failure(format!(
        "{status}: {why}. The body is held back: the transform may be there to leave parts of it out."
    ))
}

fn by_media_type(response: &HttpResponse, tool: &Tool, media_type: &str) -> CallResult {
    let essence = essence(media_type);
    let kind = essence.split('/').next().unwrap_or_default();
    match (kind, Family::of(media_type)) {
        // SVG is text, which a model can read.
        ("image", _) if essence != "image/svg+xml" => {
            bytes_as(response, |data, mime_type| Content::Image { data, mime_type })
        }
        ("audio", _) => bytes_as(response, |data, mime_type| Content::Audio { data, mime_type }),
        (_, Family::Text | Family::Xml | Family::Form) => {
            CallResult { content: text_or_bytes(response, tool, None), ..CallResult::default() }
        }
        _ => {
            let readable = std::str::from_utf8(&response.body).is_ok_and(|text| !text.contains('\0'));
            let content = if readable && !matches!(kind, "video" | "font") && essence != "application/octet-stream" {
                text_or_bytes(response, tool, None)
            } else {
                vec![resource(response, tool)]
            };
            CallResult { content, ..CallResult::default() }
        }
    }
}

fn json(response: &HttpResponse, tool: &Tool, rules: &Rules) -> CallResult {
    let media_type = response.header("content-type").unwrap_or_default();
    let (text, complaint) = charset::read(&response.body, media_type);
    let value = match parse_json(&text) {
        Ok(value) => value,
        Err(error) => {
            let reason = match response.header("content-encoding").filter(|_| is_compressed(&response.body)) {
                Some(encoding) => format!("the body is still compressed ({encoding}) and incomplete or damaged"),
                None => complaint.unwrap_or_else(|| format!("the body is no JSON: {error}")),
            };
            let content = text_or_bytes(response, tool, Some(reason));
            return CallResult { content, drift: drift::no_json(tool), ..CallResult::default() };
        }
    };
    let transformed = match transform::response(&tool.operation, &value, rules.transforms.as_deref()) {
        Some(Ok(output)) => Some(output),
        Some(Err(why)) => return held_back(response, &why),
        None => None,
    };
    let mut content = vec![Content::text(transformed.as_ref().map_or(text, |output| to_json(output, false)))];
    content.extend(complaint.map(|complaint| Content::text(format!("Note: {complaint}."))));
    let Some(schema) = &tool.operation.output_schema else {
        return CallResult { content, ..CallResult::default() };
    };
    let structured = if tool.operation.messages.wrapped {
        Node::map(vec![member("result", value.clone())], value.origin)
    } else {
        value
    };
    let drift = drift::find(schema, &structured, rules.output.as_deref());
    let is_error = drift.is_some() && rules.fail_on_drift;
    if let (true, Some(drift)) = (is_error, &drift) {
        let lines: Vec<String> = drift.problems.iter().map(|problem| format!("- {problem}")).collect();
        let text =
            format!("The response does not fit the schema that the document gives for it:\n{}", lines.join("\n"));
        content.insert(0, Content::text(text));
    }
    // A client that checks `structuredContent` would refuse what has the wrong root. The schema speaks of the body as it
    // came, so what a transform made of it has none.
    let structured = Some(structured).filter(|value| transformed.is_none() && value.as_map().is_some());
    CallResult { content, structured, is_error, drift }
}

/// JSON by the reader for documents, which keeps numbers as they are written.
fn parse_json(text: &str) -> Result<Node, String> {
    // A name that ends in `.json` is read as JSON first; only what starts like JSON may be read at all, since YAML
    // takes almost any text.
    let strict = serde_json::from_str::<serde::de::IgnoredAny>(text.trim_start_matches('\u{FEFF}'));
    strict.map_err(|error| error.to_string())?;
    parse(FileId(u32::MAX), "response.json", text).map(|document| document.root).map_err(|error| error.to_string())
}

/// Everything that a failed response says.
fn failed(response: &HttpResponse, tool: &Tool, rules: &Rules) -> CallResult {
    let media_type = response.header("content-type").unwrap_or_default();
    let mut text = status_line(response.status);
    let (body, complaint) = charset::read(&response.body, media_type);
    if tool.operation.mcp.error_transform.is_some()
        && let Ok(value) = parse_json(&body)
    {
        return match transform::error(&tool.operation, &value, rules.transforms.as_deref()) {
            Some(Ok(output)) => {
                let output = output.as_str().map_or_else(|| to_json(&output, false), str::to_owned);
                CallResult::failure(format!("{text}\n{output}"))
            }
            Some(Err(why)) => held_back(response, &why),
            None => CallResult::failure(text),
        };
    }
    let problem = Some(essence(media_type)).filter(|essence| essence == "application/problem+json");
    let problem = problem.and_then(|_| parse_json(&body).ok()).filter(|problem| problem.as_map().is_some());
    if let Some(seconds) = response.header("retry-after") {
        text.push_str(&format!(" (Retry-After: {seconds})"));
    }
    match problem {
        Some(problem) => problem_text(&problem, &mut text),
        None if body.trim().is_empty() => text.push_str(": the response has no body."),
        None if is_bytes(&response.body, complaint.as_deref()) => {
            let size = response.body.len();
            text.push_str(&format!("\n{size} bytes of {media_type} as base64:\n{}", STANDARD.encode(&response.body)));
        }
        None => {
            text.push('\n');
            text.push_str(&body);
        }
    }
    CallResult::failure(text)
}

/// RFC 9457: title and detail as sentences, then all other members.
fn problem_text(problem: &Node, text: &mut String) {
    for key in ["title", "detail"] {
        if let Some(said) = problem.text(key) {
            text.push_str(if key == "title" { ": " } else { "\n" });
            text.push_str(said);
        }
    }
    for other in problem.members() {
        let said = matches!(&*other.key, "title" | "detail") && other.value.as_str().is_some();
        if !said {
            let value = other.value.as_str().map_or_else(|| to_json(&other.value, false), str::to_owned);
            text.push_str(&format!("\n{}: {value}", other.key));
        }
    }
}

fn is_bytes(body: &[u8], complaint: Option<&str>) -> bool {
    body.contains(&0) || (complaint.is_some() && std::str::from_utf8(body).is_err())
}

fn is_compressed(body: &[u8]) -> bool {
    body.starts_with(&[0x1f, 0x8b]) || std::str::from_utf8(body).is_err()
}

/// The body as text, or as a resource when it is none; the reason, where there is one, goes behind.
fn text_or_bytes(response: &HttpResponse, tool: &Tool, reason: Option<String>) -> Vec<Content> {
    let media_type = response.header("content-type").unwrap_or_default();
    let (text, complaint) = charset::read(&response.body, media_type);
    let mut content = match is_bytes(&response.body, complaint.as_deref()) {
        true => vec![resource(response, tool)],
        false => vec![Content::text(text)],
    };
    content.extend(reason.or(complaint).map(|reason| Content::text(format!("Note: {reason}."))));
    content
}

fn bytes_as(response: &HttpResponse, make: impl FnOnce(String, String) -> Content) -> CallResult {
    let content = make(STANDARD.encode(&response.body), mime_type(response));
    CallResult { content: vec![content], ..CallResult::default() }
}

fn resource(response: &HttpResponse, tool: &Tool) -> Content {
    let uri = response.url.clone().unwrap_or_else(|| format!("toolscope:{}", tool.named.name));
    let resource = Resource { uri, mime_type: mime_type(response), blob: STANDARD.encode(&response.body) };
    Content::Resource { resource }
}

fn mime_type(response: &HttpResponse) -> String {
    let essence = essence(response.header("content-type").unwrap_or_default());
    if essence.is_empty() { "application/octet-stream".to_owned() } else { essence }
}

/// A media type without parameters, in lower case.
fn essence(media_type: &str) -> String {
    media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase()
}

/// `HTTP 404 Not Found`
fn status_line(status: u16) -> String {
    let reason = match status {
        200 => "OK",
        201 => "Created",
        202 => "Accepted",
        204 => "No Content",
        301 => "Moved Permanently",
        302 => "Found",
        303 => "See Other",
        304 => "Not Modified",
        307 => "Temporary Redirect",
        308 => "Permanent Redirect",
        400 => "Bad Request",
        401 => "Unauthorized",
        402 => "Payment Required",
        403 => "Forbidden",
        404 => "Not Found",
        405 => "Method Not Allowed",
        406 => "Not Acceptable",
        408 => "Request Timeout",
        409 => "Conflict",
        410 => "Gone",
        412 => "Precondition Failed",
        413 => "Content Too Large",
        415 => "Unsupported Media Type",
        422 => "Unprocessable Content",
        429 => "Too Many Requests",
        500 => "Internal Server Error",
        501 => "Not Implemented",
        502 => "Bad Gateway",
        503 => "Service Unavailable",
        504 => "Gateway Timeout",
        _ => return format!("HTTP {status}"),
    };
    format!("HTTP {status} {reason}")
}
