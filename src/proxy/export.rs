//! The record as files: JSON Lines of all messages with both hops, HAR 1.2 of the HTTP hop.

use std::time::{Duration, SystemTime};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value as Json, json};

use super::tap::{Captured, Exchange, HttpHop};

/// One line per message: both hops, everything that the record has. `from` says who said it.
pub fn jsonl<'a>(calls: impl IntoIterator<Item = &'a Exchange>) -> String {
    let mut text = String::new();
    for call in calls {
        text.push_str(&line(call).to_string());
        text.push('\n');
    }
    text
}

fn line(call: &Exchange) -> Json {
    json!({
        "id": call.id,
        "started": timestamp(call.started),
        "elapsed_ms": milliseconds(call.elapsed),
        "tool": call.is_call().then_some(&call.tool),
        "from": if call.told { "proxy" } else { "client" },
        "caller": call.caller,
        "is_error": call.is_error,
        "failure": call.failure.map(super::upstream::FailureKind::word),
        "mcp": {
            "request": {"jsonrpc": "2.0", "method": call.method, "params": call.request},
            "result": call.result,
            "request_bytes": call.sizes.0,
            "result_bytes": call.sizes.1,
        },
        "http": call.http.iter().map(hop).collect::<Vec<_>>(),
    })
}

fn hop(hop: &HttpHop) -> Json {
    json!({
        "method": hop.method,
        "url": hop.url,
        "request_headers": hop.request_headers,
        "request_body": body(&hop.request_body),
        "status": hop.status,
        "version": hop.version,
        "response_headers": hop.response_headers,
        "response_body": body(&hop.response_body),
        "waited_ms": milliseconds(hop.waited),
        "elapsed_ms": milliseconds(hop.elapsed),
        "error": hop.error,
    })
}

fn body(body: &Captured) -> Json {
    if body.size == 0 {
        return Json::Null;
    }
    let mut shown = json!({"media_type": body.media_type, "size": body.size});
    if let Some(map) = shown.as_object_mut() {
        match std::str::from_utf8(&body.bytes) {
            Ok(text) => map.insert("text".to_owned(), text.into()),
            Err(_) => map.insert("base64".to_owned(), STANDARD.encode(&body.bytes).into()),
        };
        if body.is_cut() {
            map.insert("cut".to_owned(), true.into());
        }
    }
    shown
}

/// A HAR 1.2 archive of all HTTP exchanges.
pub fn har<'a>(calls: impl IntoIterator<Item = &'a Exchange>) -> Json {
    let mut entries = Vec::new();
    for call in calls {
        let mut started = call.started;
        for hop in &call.http {
            entries.push(entry(call, hop, started));
            started += hop.elapsed;
        }
    }
    json!({"log": {
        "version": "1.2",
        "creator": {"name": "toolscope", "version": env!("CARGO_PKG_VERSION")},
        "entries": entries,
    }})
}

fn entry(call: &Exchange, hop: &HttpHop, started: SystemTime) -> Json {
    let headers = |headers: &[(String, String)]| -> Vec<Json> {
        headers.iter().map(|(name, value)| json!({"name": name, "value": value})).collect()
    };
    let query: Vec<Json> = url::Url::parse(&hop.url)
        .map(|url| url.query_pairs().map(|(name, value)| json!({"name": name, "value": value})).collect())
        .unwrap_or_default();
    let mut request = json!({
        "method": hop.method,
        "url": hop.url,
        "httpVersion": hop.version,
        "cookies": [],
        "headers": headers(&hop.request_headers),
        "queryString": query,
        "headersSize": -1,
        "bodySize": hop.request_body.size,
    });
    if let (true, Some(request)) = (hop.request_body.size > 0, request.as_object_mut()) {
        let text = String::from_utf8_lossy(&hop.request_body.bytes);
        let posted = json!({"mimeType": hop.request_body.media_type, "text": text, "params": []});
        request.insert("postData".to_owned(), posted);
    }
    let location = hop.response_headers.iter().find(|(name, _)| name.eq_ignore_ascii_case("location"));
    let mut response = json!({
        "status": hop.status.unwrap_or(0),
        "statusText": "",
        "httpVersion": hop.version,
        "cookies": [],
        "headers": headers(&hop.response_headers),
        "content": content(&hop.response_body),
        "redirectURL": location.map(|(_, value)| value.as_str()).unwrap_or_default(),
        "headersSize": -1,
        "bodySize": hop.response_body.size,
    });
    if let (Some(error), Some(response)) = (&hop.error, response.as_object_mut()) {
        response.insert("_error".to_owned(), error.as_str().into());
    }
    let receive = hop.elapsed.saturating_sub(hop.waited);
    json!({
        "startedDateTime": timestamp(started),
        "time": milliseconds(hop.elapsed),
        "request": request,
        "response": response,
        "cache": {},
        "timings": {"send": 0, "wait": milliseconds(hop.waited), "receive": milliseconds(receive)},
        "comment": format!("{} #{}", call.tool, call.id),
    })
}

fn content(body: &Captured) -> Json {
    match std::str::from_utf8(&body.bytes) {
        Ok(text) => json!({"size": body.size, "mimeType": body.media_type, "text": text}),
        Err(_) => {
            let text = STANDARD.encode(&body.bytes);
            json!({"size": body.size, "mimeType": body.media_type, "text": text, "encoding": "base64"})
        }
    }
}

pub(crate) fn milliseconds(duration: Duration) -> f64 {
    (duration.as_secs_f64() * 1_000_000.0).round() / 1000.0
}

/// RFC 3339 in UTC, with milliseconds.
fn timestamp(at: SystemTime) -> String {
    let since = at.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let (days, rest) = (since.as_secs() / 86_400, since.as_secs() % 86_400);
    let (year, month, day) = date(days);
    let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{:03}Z", since.subsec_millis())
}

/// The date of a day since 1970-01-01 in the Gregorian calendar: eras of 400 years, years that begin in March.
fn date(days: u64) -> (u64, u64, u64) {
    let shifted = days + 719_468;
    let era = shifted / 146_097;
    let day_of_era = shifted % 146_097;
    let year_of_era = (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted_month = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted_month + 2) / 5 + 1;
    let month = if shifted_month < 10 { shifted_month + 3 } else { shifted_month - 9 };
    let year = year_of_era + era * 400 + u64::from(month <= 2);
    (year, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_dates() {
        let cases = [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (1_709_251_199, "2024-02-29T23:59:59.000Z"),
            (4_102_444_800, "2100-01-01T00:00:00.000Z"),
        ];
        for (seconds, expected) in cases {
            assert_eq!(timestamp(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)), expected);
        }
    }
}
