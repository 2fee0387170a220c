//! A small reader of XML, and as much of XML Schema as `fixtures/contract/junit.xsd` uses. It shares nothing with what
//! writes the reports.

use std::collections::BTreeMap;

/// An element.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Element {
    pub name: String,
    pub attributes: BTreeMap<String, String>,
    pub children: Vec<Element>,
    pub text: String,
}

impl Element {
    /// Children of that name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children.iter().filter(move |child| child.name == name)
    }

    pub fn attribute(&self, name: &str) -> &str {
        self.attributes.get(name).map_or("", String::as_str)
    }
}

/// Reads a document; whatever is not well-formed is a panic.
pub fn parse(text: &str) -> Element {
    let mut rest = text.trim_start();
    let mut open: Vec<Element> = vec![Element::default()];
    while let Some(at) = rest.find('<') {
        let top = open.last_mut().unwrap();
        top.text.push_str(&unescape(&rest[..at]));
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix("<!--") {
            rest = &after[after.find("-->").unwrap() + 3..];
        } else if let Some(after) = rest.strip_prefix("<?") {
            rest = &after[after.find("?>").unwrap() + 2..];
        } else if let Some(after) = rest.strip_prefix("</") {
            let end = after.find('>').unwrap();
            let done = open.pop().unwrap();
            assert_eq!(done.name, after[..end].trim(), "the end of another element");
            open.last_mut().expect("an end without a start").children.push(done);
            rest = &after[end + 1..];
        } else {
            let (element, closed, after) = start(&rest[1..]);
            rest = after;
            if closed { open.last_mut().unwrap().children.push(element) } else { open.push(element) }
        }
    }
    assert!(rest.trim().is_empty(), "text behind the end: {rest}");
    let root = open.pop().unwrap();
    assert!(open.is_empty(), "not closed: {}", root.name);
    assert!(root.text.trim().is_empty() && root.children.len() == 1, "one root is wanted");
    root.children.into_iter().next().unwrap()
}

/// A start tag behind its `<`: the element, whether it is closed, what follows.
fn start(text: &str) -> (Element, bool, &str) {
    let name_end = text.find(|c: char| c.is_whitespace() || c == '>' || c == '/').unwrap();
    let mut element = Element { name: text[..name_end].to_owned(), ..Element::default() };
    let mut rest = text[name_end..].trim_start();
    loop {
        if let Some(after) = rest.strip_prefix("/>") {
            return (element, true, after);
        }
        if let Some(after) = rest.strip_prefix('>') {
            return (element, false, after);
        }
        let (name, after) = rest.split_once('=').unwrap();
        let after = after.strip_prefix('"').unwrap();
        let end = after.find('"').unwrap();
        assert!(!after[..end].contains('<'), "`<` in an attribute");
        let known = element.attributes.insert(name.trim().to_owned(), unescape(&after[..end]));
        assert!(known.is_none(), "{name} twice");
        rest = after[end + 1..].trim_start();
    }
}

fn unescape(text: &str) -> String {
    let allowed = |c: char| !c.is_control() || matches!(c, '\n' | '\t' | '\r');
    assert!(text.chars().all(allowed), "a character that XML has not: {text:?}");
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        let end = at + rest[at..].find(';').unwrap_or_else(|| panic!("`&` alone: {rest}"));
        out.push(match &rest[at + 1..end] {
            "amp" => '&',
            "lt" => '<',
            "gt" => '>',
            "quot" => '"',
            "apos" => '\'',
            number => char::from_u32(number.strip_prefix('#').unwrap().parse().unwrap()).unwrap(),
        });
        rest = &rest[end + 1..];
    }
    out + rest
}

/// What is wrong with a document under a schema.
pub fn problems(schema: &Element, document: &Element) -> Vec<String> {
    let mut found = Vec::new();
    let declared = |name: &str| schema.all("xs:element").find(|element| element.attribute("name") == name);
    match declared(&document.name) {
        Some(_) => check(schema, document, &mut found),
        None => found.push(format!("<{}> is not declared", document.name)),
    }
    found
}

fn check(schema: &Element, element: &Element, found: &mut Vec<String>) {
    let declaration = schema.all("xs:element").find(|it| it.attribute("name") == element.name).unwrap();
    let kind = declaration.attribute("type");
    let complex = match kind {
        "" => declaration.all("xs:complexType").next(),
        kind => schema.all("xs:complexType").find(|it| it.attribute("name") == kind),
    };
    let extension =
        |it: &Element| it.all("xs:simpleContent").next().and_then(|it| it.all("xs:extension").next().cloned());
    let holds_text = complex.is_none_or(|complex| extension(complex).is_some());
    let body = complex.map(|complex| extension(complex).unwrap_or_else(|| complex.clone())).unwrap_or_default();
    if !holds_text && !element.text.trim().is_empty() {
        found.push(format!("<{}> holds text", element.name));
    }
    for (name, value) in &element.attributes {
        match body.all("xs:attribute").find(|it| it.attribute("name") == name) {
            None => found.push(format!("<{}> has no attribute {name}", element.name)),
            Some(attribute) if !fits(attribute.attribute("type"), value) => {
                found.push(format!("{name}=\"{value}\" of <{}> is no {}", element.name, attribute.attribute("type")));
            }
            Some(_) => {}
        }
    }
    for attribute in body.all("xs:attribute").filter(|it| it.attribute("use") == "required") {
        if !element.attributes.contains_key(attribute.attribute("name")) {
            found.push(format!("<{}> lacks {}", element.name, attribute.attribute("name")));
        }
    }
    let group = body.children.iter().find(|it| matches!(it.name.as_str(), "xs:choice" | "xs:sequence"));
    let allowed: Vec<&str> =
        group.into_iter().flat_map(|it| it.all("xs:element")).map(|it| it.attribute("ref")).collect();
    if group.is_some_and(|it| it.name == "xs:choice" && it.attribute("maxOccurs") == "1") && element.children.len() > 1
    {
        found.push(format!("<{}> has more than one child", element.name));
    }
    for child in &element.children {
        if allowed.contains(&child.name.as_str()) {
            check(schema, child, found);
        } else {
            found.push(format!("<{}> may not hold <{}>", element.name, child.name));
        }
    }
}

fn fits(kind: &str, value: &str) -> bool {
    match kind {
        "xs:string" => true,
        "xs:nonNegativeInteger" => value.parse::<u64>().is_ok(),
        "seconds" => value.parse::<f64>().is_ok_and(|seconds| seconds >= 0.0) && !value.contains(['e', 'E']),
        other => panic!("{other} is not understood here"),
    }
}
