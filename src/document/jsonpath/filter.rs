//! From text to tree: filter expressions and function calls, with their types (RFC 9535 sections 2.3.5 and 2.4).

use super::ast::{Comparable, Logical, Operator, Pattern, SubQuery};
use super::parser::Parser;
use super::{QueryError, Remark, hints, pattern};
use crate::document::{FileId, Node, Number, Origin, Value};

/// One side of a comparison, or a test: what it is shows only by what follows.
enum Operand {
    Value(Comparable),
    Query(SubQuery),
    Test(Logical),
}

impl Parser<'_> {
    /// `a || b || …`
    pub(super) fn logical(&mut self) -> Result<Logical, QueryError> {
        let mut parts = vec![self.conjunction()?];
        while self.operator("||") {
            parts.push(self.conjunction()?);
        }
        Ok(single(parts, Logical::Or))
    }

    fn conjunction(&mut self) -> Result<Logical, QueryError> {
        let mut parts = vec![self.basic()?];
        while self.operator("&&") {
            parts.push(self.basic()?);
        }
        Ok(single(parts, Logical::And))
    }

    /// The operator with the blanks around it; nothing is consumed when it is not there.
    fn operator(&mut self, token: &str) -> bool {
        let before = self.scanner.at;
        self.scanner.blanks();
        let found = self.scanner.eat(token);
        if found {
            self.scanner.blanks();
        } else {
            self.scanner.at = before;
        }
        found
    }

    fn basic(&mut self) -> Result<Logical, QueryError> {
        let start = self.scanner.at;
        if self.scanner.eat("!") {
            self.scanner.blanks();
            let inner = if self.scanner.peek() == Some('(') {
                self.parenthesised()?
            } else {
                let at = self.scanner.at;
                let operand = self.nested(Self::operand)?;
                self.test(operand, at)?
            };
            if self.comparison().is_some() {
                return Err(hints::negated_comparison(start));
            }
            return Ok(Logical::Not(Box::new(inner)));
        }
        if self.scanner.peek() == Some('(') {
            let inner = self.parenthesised()?;
            if self.comparison().is_some() {
                let error = self.scanner.error("an expression in parentheses cannot be compared");
                return Err(error.remedy("take the parentheses away"));
            }
            return Ok(inner);
        }
        let left = self.nested(Self::operand)?;
        let after = self.scanner.at;
        let Some(operator) = self.comparison() else {
            self.scanner.at = after;
            return self.test(left, start);
        };
        let left = comparable(left, start)?;
        self.scanner.blanks();
        let right_at = self.scanner.at;
        let right = self.nested(Self::operand)?;
        Ok(Logical::Compare { left, operator, right: comparable(right, right_at)? })
    }

    fn parenthesised(&mut self) -> Result<Logical, QueryError> {
        let open = self.scanner.at;
        self.scanner.eat("(");
        self.scanner.blanks();
        let inner = self.nested(Self::logical)?;
        self.scanner.blanks();
        if self.scanner.eat(")") { Ok(inner) } else { Err(hints::unclosed(self.scanner.text, open, self.scanner.at)) }
    }

    /// A comparison operator after blanks; the position is after it only when there is one.
    fn comparison(&mut self) -> Option<Operator> {
        const OPERATORS: [(&str, Operator); 6] = [
            ("==", Operator::Equal),
            ("!=", Operator::NotEqual),
            ("<=", Operator::LessOrEqual),
            (">=", Operator::GreaterOrEqual),
            ("<", Operator::Less),
            (">", Operator::Greater),
        ];
        self.scanner.blanks();
        OPERATORS.iter().find(|(token, _)| self.scanner.eat(token)).map(|(_, operator)| *operator)
    }

    /// An operand that stands alone must be a query or a function that answers yes or no.
    fn test(&self, operand: Operand, at: usize) -> Result<Logical, QueryError> {
        match operand {
            Operand::Query(query) => Ok(Logical::Exists(query)),
            Operand::Test(logical) => Ok(logical),
            Operand::Value(value) => Err(hints::bare_value(self.scanner.text, at, &value)),
        }
    }

    fn operand(&mut self) -> Result<Operand, QueryError> {
        let start = self.scanner.at;
        match self.scanner.peek() {
            Some('@' | '$') => self.sub_query().map(Operand::Query),
            Some('\'' | '"') => Ok(literal(Value::String(self.scanner.string()?))),
            Some(character) if character == '-' || character == '.' || character.is_ascii_digit() => {
                let text = self.scanner.number();
                let number = Number::parse(text).ok_or_else(|| hints::no_number(start, text))?;
                Ok(literal(Value::Number(number)))
            }
            Some(character) if character.is_alphabetic() || character == '_' => self.word(start),
            _ => Err(hints::no_operand(self.scanner.text, start)),
        }
    }

    fn sub_query(&mut self) -> Result<SubQuery, QueryError> {
        let absolute = self.scanner.eat("$");
        if !absolute {
            self.scanner.eat("@");
        }
        Ok(SubQuery { absolute, segments: self.segments()? })
    }

    /// `true`, `false`, `null` or a function call.
    fn word(&mut self, start: usize) -> Result<Operand, QueryError> {
        let word = self.scanner.take_while(|character| character.is_alphanumeric() || character == '_');
        if self.scanner.eat("(") {
            return self.call(word, start);
        }
        match word {
            "true" => Ok(literal(Value::Bool(true))),
            "false" => Ok(literal(Value::Bool(false))),
            "null" => Ok(literal(Value::Null)),
            _ => Err(hints::bare_word(self.scanner.text, start, word)),
        }
    }

    fn call(&mut self, name: &str, start: usize) -> Result<Operand, QueryError> {
        self.scanner.blanks();
        let result = match name {
            "length" => Operand::Value(Comparable::Length(Box::new(self.value_argument(name)?))),
            "count" => Operand::Value(Comparable::Count(self.query_argument(name)?)),
            "value" => Operand::Value(Comparable::Value(self.query_argument(name)?)),
            "match" | "search" => self.pattern_call(name)?,
            _ => return Err(hints::unknown_function(start, name)),
        };
        self.scanner.blanks();
        if self.scanner.eat(")") { Ok(result) } else { Err(hints::arguments(name, self.scanner.at)) }
    }

    fn pattern_call(&mut self, name: &str) -> Result<Operand, QueryError> {
        let text = self.value_argument(name)?;
        self.scanner.blanks();
        if !self.scanner.eat(",") {
            return Err(hints::arguments(name, self.scanner.at));
        }
        self.scanner.blanks();
        let at = self.scanner.at;
        let whole = name == "match";
        let pattern = match self.value_argument(name)? {
            Comparable::Literal(node) => Pattern::Fixed(self.fixed_pattern(&node, whole, at)),
            found => Pattern::Found(found),
        };
        Ok(Operand::Test(Logical::Matches { text, pattern, whole }))
    }

    /// A pattern that is none matches nothing (section 2.4.6), which is worth a remark.
    fn fixed_pattern(&mut self, node: &Node, whole: bool, at: usize) -> Option<regex::Regex> {
        let compiled = match node.as_str() {
            Some(text) => pattern::compile(text, whole),
            None => Err(format!("it is {}", node.kind())),
        };
        match compiled {
            Ok(regex) => Some(regex),
            Err(why) => {
                self.remarks.push(Remark { offset: at, message: format!("the pattern never matches: {why}") });
                None
            }
        }
    }

    fn value_argument(&mut self, name: &str) -> Result<Comparable, QueryError> {
        let at = self.scanner.at;
        if self.scanner.peek() == Some(')') {
            return Err(hints::arguments(name, at));
        }
        match self.nested(Self::operand)? {
            Operand::Value(value) => Ok(value),
            Operand::Query(query) if query.is_singular() => Ok(Comparable::Query(query)),
            Operand::Query(_) => Err(hints::many_nodes(at, name)),
            Operand::Test(_) => Err(hints::arguments(name, at)),
        }
    }

    fn query_argument(&mut self, name: &str) -> Result<SubQuery, QueryError> {
        if matches!(self.scanner.peek(), Some('@' | '$')) {
            self.nested(Self::sub_query)
        } else {
            Err(hints::arguments(name, self.scanner.at))
        }
    }
}

fn single(mut parts: Vec<Logical>, join: fn(Vec<Logical>) -> Logical) -> Logical {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            join(parts)
        }
    }
}

fn comparable(operand: Operand, at: usize) -> Result<Comparable, QueryError> {
    match operand {
        Operand::Value(value) => Ok(value),
        Operand::Query(query) if query.is_singular() => Ok(Comparable::Query(query)),
        Operand::Query(_) => Err(hints::many_nodes(at, "a comparison")),
        Operand::Test(_) => Err(hints::compared_test(at)),
    }
}

fn literal(value: Value) -> Operand {
    Operand::Value(Comparable::Literal(Node::new(value, Origin::new(FileId(u32::MAX), 0, 0))))
}
