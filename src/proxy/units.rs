//! Durations and sizes as people write them.

use std::time::Duration;

/// Reads `10s`, `500ms`, `1m30s`, `2h` or a bare number of seconds.
pub fn duration(text: &str) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse::<f64>() {
        return Duration::try_from_secs_f64(seconds).ok();
    }
    let mut rest = text;
    let mut total = Duration::ZERO;
    while !rest.is_empty() {
        let (number, after) = split_number(rest)?;
        let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (unit, next) = after.split_at_checked(end)?;
        let seconds = match unit {
            "us" => number / 1_000_000.0,
            "ms" => number / 1000.0,
            "s" => number,
            "m" => number * 60.0,
            "h" => number * 3600.0,
            _ => return None,
        };
        total = total.checked_add(Duration::try_from_secs_f64(seconds).ok()?)?;
        rest = next;
    }
    (!text.is_empty()).then_some(total)
}

/// Reads `10MB`, `512KiB` or a bare number of bytes. `KB`, `MB` and `GB` are powers of 1000.
pub fn bytes(text: &str) -> Option<u64> {
    let (number, unit) = split_number(text.trim())?;
    let factor: f64 = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    let value = number * factor;
    // Beyond this a double no longer counts single bytes, and no machine has as many.
    (0.0..9e15).contains(&value).then_some(value as u64)
}

fn split_number(text: &str) -> Option<(f64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, rest) = text.split_at_checked(end)?;
    Some((number.parse().ok()?, rest))
}

/// A duration for people: `1.5 s`, `12 ms`.
pub fn shown(duration: Duration) -> String {
    match duration.as_secs_f64() {
        seconds if seconds >= 1.0 => format!("{} s", (seconds * 10.0).round() / 10.0),
        seconds => format!("{} ms", (seconds * 1000.0).round()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations() {
        let cases = [
            ("10s", Some(10_000)),
            ("500ms", Some(500)),
            ("1m30s", Some(90_000)),
            ("1.5s", Some(1500)),
            ("3", Some(3000)),
            ("2h", Some(7_200_000)),
            ("", None),
            ("s", None),
            ("5 s", None),
            ("5d", None),
            ("-1", None),
            ("1e400", None),
        ];
        for (text, expected) in cases {
            assert_eq!(duration(text).map(|it| it.as_millis()), expected, "{text}");
        }
    }

    #[test]
    fn sizes() {
        let cases = [
            ("10MB", Some(10_000_000)),
            ("512KiB", Some(524_288)),
            ("7", Some(7)),
            ("1.5 kb", Some(1500)),
            ("x", None),
            ("5 parsecs", None),
            ("99999999GB", None),
        ];
        for (text, expected) in cases {
            assert_eq!(bytes(text), expected, "{text}");
        }
    }
}
