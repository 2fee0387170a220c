//! The core schema (YAML 1.2.2 section 10.3): what a scalar stands for.

use granit_parser::Tag;

use super::super::{Finding, Number, Value};

/// Something about a scalar or tag that a person should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Oddity {
    /// `.inf` or `.nan`, kept as text.
    NotFinite,
    /// An octal or hexadecimal integer beyond 128 bits, kept as text.
    TooLarge,
    /// A core tag that does not fit, such as `!!int x`; kept as text.
    Misfit(String),
    /// A tag that only an application knows; the value is kept.
    Custom(String),
}

impl Oddity {
    pub(super) fn code(&self) -> &'static str {
        match self {
            Self::NotFinite | Self::TooLarge => "yaml-number",
            Self::Misfit(_) | Self::Custom(_) => "yaml-tag",
        }
    }

    pub(super) fn finding(&self, written: &str) -> Finding {
        match self {
            Self::NotFinite => {
                Finding::warning("yaml-number", format!("JSON has no number `{written}`; it is kept as text"))
                    .remedy("write a number, or quote it")
            }
            Self::TooLarge => {
                Finding::warning("yaml-number", format!("the number `{written}` is too large and is kept as text"))
                    .remedy("write it in decimal digits, or quote it")
            }
            Self::Misfit(tag) => Finding::warning("yaml-tag", format!("`{written}` is no {tag}; it is kept as text"))
                .remedy("remove the tag, or mend the value"),
            Self::Custom(tag) => Finding::info("yaml-tag", format!("the tag `{tag}` is ignored; its value is kept")),
        }
    }
}

/// The value of a scalar as it is written (without quotes and escapes).
pub(super) fn resolve(text: &str, plain: bool, tag: Option<&Tag>) -> (Value, Option<Oddity>) {
    let Some(tag) = tag else {
        return if plain { core(text) } else { (string(text), None) };
    };
    let Some(kind) = tag.core_suffix() else {
        // `!` alone says: not by its looks.
        if tag.handle().is_empty() && tag.suffix() == "!" || tag.original() == "!" {
            return (string(text), None);
        }
        let (value, oddity) = if plain { core(text) } else { (string(text), None) };
        return (value, oddity.or_else(|| custom_tag(tag)));
    };
    let (value, oddity) = core(text);
    let fits = match (kind, &value) {
        ("str", _) => return (string(text), None),
        ("null", Value::Null) | ("bool", Value::Bool(_)) | ("float", Value::Number(_)) => true,
        ("int", Value::Number(number)) => number.as_i128().is_some() || !number.to_string().contains(['.', 'e', 'E']),
        ("null" | "bool" | "int" | "float", _) => false,
        // !!binary, !!timestamp and the like are text in JSON.
        _ => return (string(text), None),
    };
    if fits { (value, oddity) } else { (string(text), oddity.or_else(|| Some(Oddity::Misfit(format!("!!{kind}"))))) }
}

/// A tag that is not of YAML itself.
pub(super) fn custom_tag(tag: &Tag) -> Option<Oddity> {
    (!tag.is_yaml_core_schema() && tag.original() != "!").then(|| Oddity::Custom(tag.original()))
}

fn string(text: &str) -> Value {
    Value::String(text.into())
}

/// Resolution of a plain scalar.
fn core(text: &str) -> (Value, Option<Oddity>) {
    let value = match text {
        "" | "~" | "null" | "Null" | "NULL" => Value::Null,
        "true" | "True" | "TRUE" => Value::Bool(true),
        "false" | "False" | "FALSE" => Value::Bool(false),
        _ => match number(text) {
            Some(Ok(number)) => Value::Number(number),
            Some(Err(oddity)) => return (string(text), Some(oddity)),
            None => string(text),
        },
    };
    (value, None)
}

/// The number that a plain scalar writes; an error for one that JSON cannot write; `None` when it is none.
fn number(text: &str) -> Option<Result<Number, Oddity>> {
    if !text.starts_with(|first: char| first.is_ascii_digit() || matches!(first, '.' | '+' | '-')) {
        return None;
    }
    if let Some(number) = Number::parse(text) {
        return Some(Ok(number));
    }
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    if matches!(unsigned, ".inf" | ".Inf" | ".INF") || matches!(text, ".nan" | ".NaN" | ".NAN") {
        return Some(Err(Oddity::NotFinite));
    }
    for (prefix, radix) in [("0o", 8), ("0x", 16)] {
        if let Some(digits) = text.strip_prefix(prefix) {
            // `from_str_radix` takes a sign too.
            if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
                return None;
            }
            let value = u128::from_str_radix(digits, radix).ok().and_then(|value| Number::parse(&value.to_string()));
            return Some(value.ok_or(Oddity::TooLarge));
        }
    }
    normalised(text, unsigned).and_then(|text| Number::parse(&text)).map(Ok)
}

/// A decimal of the core schema as JSON writes it: `+1`, `012`, `.5`, `1.`.
fn normalised(text: &str, unsigned: &str) -> Option<String> {
    let split = unsigned.find(['e', 'E']).unwrap_or(unsigned.len());
    let (mantissa, exponent) = unsigned.split_at_checked(split)?;
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) {
        return None;
    }
    let sign = if text.starts_with('-') { "-" } else { "" };
    let whole = Some(whole.trim_start_matches('0')).filter(|whole| !whole.is_empty()).unwrap_or("0");
    let point = if fraction.is_empty() { "" } else { "." };
    Some(format!("{sign}{whole}{point}{fraction}{exponent}"))
}
