//! Bodies that are no JSON.

/// A white point.
const PNG: &[u8] = &[
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 0x0D, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8,
    0, 0, 0, 0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 0x0A, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0xF8, 0x0F, 0, 0x01,
    0x01, 0x01, 0, 0x1B, 0xB6, 0xEE, 0x56, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
];
const GIF: &[u8] = &[
    0x47, 0x49, 0x46, 0x38, 0x39, 0x61, 1, 0, 1, 0, 0x80, 0, 0, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0x2C, 0, 0, 0, 0, 1, 0, 1,
    0, 0, 2, 2, 0x44, 1, 0, 0x3B,
];
/// The first bytes of a JPEG file and its end.
const JPEG: &[u8] =
    &[0xFF, 0xD8, 0xFF, 0xE0, 0, 0x10, 0x4A, 0x46, 0x49, 0x46, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 0xFF, 0xD9];
/// A sound of no length.
const WAV: &[u8] = &[
    0x52, 0x49, 0x46, 0x46, 36, 0, 0, 0, 0x57, 0x41, 0x56, 0x45, 0x66, 0x6D, 0x74, 0x20, 16, 0, 0, 0, 1, 0, 1, 0, 0x40,
    0x1F, 0, 0, 0x40, 0x1F, 0, 0, 1, 0, 8, 0, 0x64, 0x61, 0x74, 0x61, 0, 0, 0, 0,
];

/// A body of a media type (without parameters).
pub(super) fn of(media_type: &str) -> Vec<u8> {
    match media_type {
        "image/png" => PNG.to_vec(),
        "image/gif" => GIF.to_vec(),
        "image/svg+xml" => b"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"1\" height=\"1\"/>".to_vec(),
        "application/xml" | "text/xml" => b"<?xml version=\"1.0\"?>\n<mock/>\n".to_vec(),
        "text/html" => b"<!doctype html>\n<title>Mock</title>\n<p>Mock\n".to_vec(),
        "text/csv" => b"column\nvalue\n".to_vec(),
        "application/x-www-form-urlencoded" => b"key=value".to_vec(),
        "application/pdf" => b"%PDF-1.4\n%%EOF\n".to_vec(),
        other if other.starts_with("image/") => JPEG.to_vec(),
        other if other.starts_with("audio/") => WAV.to_vec(),
        other if other.ends_with("+xml") => b"<?xml version=\"1.0\"?>\n<mock/>\n".to_vec(),
        other if other.starts_with("text/") => b"An answer of the mock.\n".to_vec(),
        _ => b"mock".to_vec(),
    }
}
