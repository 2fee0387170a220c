//! Numbers without loss: integers of any size and decimals as they were written.

use std::cmp::Ordering;
use std::fmt;
use std::sync::Arc;

/// A JSON number. Equal by value: `1`, `1.0` and `1e0` are one number.
#[derive(Clone, Debug)]
pub enum Number {
    /// An integer that fits.
    Int(i64),
    /// Any other number, in its written form, which is a valid JSON number.
    Text(Arc<str>),
}

impl Number {
    /// Reads a JSON number (RFC 8259 section 6). `None` when the text is none.
    pub fn parse(text: &str) -> Option<Self> {
        if !is_json_number(text) {
            return None;
        }
        // `-0` is kept as text: as an integer it would lose its sign.
        match text.parse::<i64>() {
            Ok(value) if text != "-0" => Some(Self::Int(value)),
            _ => Some(Self::Text(text.into())),
        }
    }

    /// The integer of that value, also when it is written `1.0` or is beyond 64 bits.
    pub fn as_i128(&self) -> Option<i128> {
        match self {
            Self::Int(value) => Some(i128::from(*value)),
            Self::Text(text) => text.parse().ok().or_else(|| {
                let value: f64 = text.parse().ok()?;
                // Whole and exactly representable, so that the cast is exact.
                (value.fract() == 0.0 && value.abs() < 9_007_199_254_740_992.0).then_some(value as i128)
            }),
        }
    }

    /// The nearest double.
    pub fn as_f64(&self) -> f64 {
        match self {
            Self::Int(value) => *value as f64,
            Self::Text(text) => text.parse().unwrap_or(f64::NAN),
        }
    }

    /// Order by value.
    pub fn compare(&self, other: &Self) -> Ordering {
        match (self.as_i128(), other.as_i128()) {
            (Some(a), Some(b)) => a.cmp(&b),
            _ => self.as_f64().partial_cmp(&other.as_f64()).unwrap_or(Ordering::Equal),
        }
    }
}

impl From<i64> for Number {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.compare(other) == Ordering::Equal
    }
}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Text(text) => f.write_str(text),
        }
    }
}

fn is_json_number(text: &str) -> bool {
    let rest = text.strip_prefix('-').unwrap_or(text);
    let whole = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    if whole == 0 || (whole > 1 && rest.starts_with('0')) {
        return false;
    }
    let rest = rest.get(whole..).unwrap_or_default();
    let rest = match rest.strip_prefix('.') {
        Some(fraction) => {
            let left = fraction.trim_start_matches(|c: char| c.is_ascii_digit());
            if left.len() == fraction.len() {
                return false;
            }
            left
        }
        None => rest,
    };
    match rest.strip_prefix(['e', 'E']) {
        Some(exponent) => {
            let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        }
        None => rest.is_empty(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn written_form_survives() {
        for text in ["0", "-0", "1.10", "1e5", "18446744073709551615", "-9223372036854776000", "1E+400"] {
            assert_eq!(Number::parse(text).map(|number| number.to_string()).as_deref(), Some(text));
        }
        for text in ["", "-", "01", "1.", ".5", "+1", "1e", "0x10", "NaN", "1 "] {
            assert!(Number::parse(text).is_none(), "{text:?} is no JSON number");
        }
    }

    #[test]
    fn equality_is_by_value() {
        let number = |text| Number::parse(text);
        assert_eq!(number("1"), number("1.0"));
        assert_eq!(number("100"), number("1e2"));
        assert_ne!(number("18446744073709551615"), number("18446744073709551614"));
        assert_eq!(number("18446744073709551615").and_then(|n| n.as_i128()), Some(18_446_744_073_709_551_615));
    }
}
