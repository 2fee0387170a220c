//! Is an overlay applied to the document that it says it extends?

use percent_encoding::percent_decode_str;
use url::Url;

use super::model::Overlay;
use crate::document::Finding;

/// A warning when `extends` (Overlay 1.1 section 4.4.1) names another document than `document`, the name of the one
/// that the overlay is applied to.
///
/// `extends` is read relative to the overlay's own location. Lenient: the same file name is taken for the same
/// document, since copies and working folders move. Documents from standard input cannot be told.
pub fn check_extends(overlay: &Overlay, document: &str) -> Option<Finding> {
    let extends = overlay.extends.as_deref()?;
    if document == "-" || document.is_empty() {
        return None;
    }
    let meant = resolve(extends, &overlay.name);
    if meant == locator(document) || file_name(&meant) == file_name(&locator(document)) {
        return None;
    }
    let message = format!("the overlay extends `{extends}`, it is applied to `{document}`");
    let finding = Finding::warning("overlay-extends", message);
    let finding = finding.remedy("apply it to that document, or mend `extends`");
    Some(match &overlay.extends_place {
        Some(place) => finding.at(place.clone()),
        None => finding,
    })
}

fn resolve(reference: &str, base: &str) -> String {
    if Url::parse(reference).is_ok_and(|url| url.scheme().len() > 1) {
        return locator(reference);
    }
    if let Ok(joined) = Url::parse(base).and_then(|base| base.join(reference)) {
        return locator(joined.as_str());
    }
    if reference.starts_with('/') {
        return locator(reference);
    }
    let folder = base.rsplit_once(['/', '\\']).map_or("", |(folder, _)| folder);
    locator(&format!("{folder}/{reference}"))
}

/// A name without query, fragment, `file:` and dot segments.
fn locator(name: &str) -> String {
    let plain = name.split(['?', '#']).next().unwrap_or_default();
    let plain = plain.strip_prefix("file://").unwrap_or(plain);
    let plain = percent_decode_str(plain).decode_utf8_lossy();
    let mut parts: Vec<&str> = Vec::new();
    for part in plain.split(['/', '\\']).filter(|part| !part.is_empty() && *part != ".") {
        if part == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else {
            parts.push(part);
        }
    }
    parts.join("/")
}

fn file_name(locator: &str) -> &str {
    locator.rsplit('/').next().unwrap_or_default()
}
