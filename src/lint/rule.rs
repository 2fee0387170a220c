//! One rule of a target: what it looks at, how bad a breach is, and who says so.

use regex::Regex;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

use crate::document::{Blast, Severity};

/// How sure it is that the rule holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Confidence {
    /// A specification, a vendor's schema or documentation.
    #[serde(rename = "H")]
    High,
    /// The words of an API error or of a maintainer, in a public report.
    #[serde(rename = "M")]
    Medium,
    /// A third party's summary. Such a rule never gives more than a warning.
    #[serde(rename = "L")]
    Low,
}

/// A rule of a target.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name within the target.
    pub id: String,
    /// What a breach is; at most a warning when the confidence is low.
    pub severity: Severity,
    /// What the target does then.
    pub blast: Blast,
    /// What happens, in words that follow a semicolon.
    pub why: String,
    /// What to do, in one sentence.
    pub remedy: Option<String>,
    /// Who says so.
    pub source: String,
    /// When it was said: a year, a month or a day.
    pub date: String,
    /// How sure it is.
    pub confidence: Confidence,
    pub(super) check: Check,
}

impl Rule {
    /// The rule's kind, as target files write it.
    pub fn kind(&self) -> &'static str {
        self.check.kind().as_str()
    }

    /// What the rule asks for, in a few words: a limit, a pattern, a list; empty when the kind says it all.
    pub fn wants(&self) -> String {
        match &self.check {
            Check::Plain(_) => String::new(),
            Check::Limit(_, max) => format!("at most {max}"),
            Check::Words(_, words) => words.join(", "),
            Check::NamePattern(pattern) => pattern.text.clone(),
            Check::KeyPattern(pattern, Scope::Root) => format!("{} (arguments)", pattern.text),
            Check::KeyPattern(pattern, Scope::Any) => format!("{} (all properties)", pattern.text),
        }
    }

    /// The limit, when the rule has one.
    pub fn limit(&self) -> Option<usize> {
        match self.check {
            Check::Limit(_, max) => Some(max),
            _ => None,
        }
    }
}

/// Id, kind, what it wants, and everything that the file says of it.
impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut out = serializer.serialize_struct("Rule", 10)?;
        out.serialize_field("id", &self.id)?;
        out.serialize_field("kind", self.kind())?;
        out.serialize_field("wants", &self.wants())?;
        out.serialize_field("severity", &self.severity)?;
        out.serialize_field("blast", &self.blast)?;
        out.serialize_field("why", &self.why)?;
        out.serialize_field("remedy", &self.remedy)?;
        out.serialize_field("source", &self.source)?;
        out.serialize_field("date", &self.date)?;
        out.serialize_field("confidence", &self.confidence)?;
        out.end()
    }
}

/// A regular expression over whole texts.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    /// As it was written.
    pub(super) text: String,
    pub(super) regex: Regex,
}

/// Which properties a rule on keys looks at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Scope {
    /// The arguments.
    #[default]
    Root,
    /// Every property.
    Any,
}

/// What a rule looks at, with its parameters.
#[derive(Clone, Debug)]
pub(super) enum Check {
    /// A kind without parameters.
    Plain(Kind),
    /// A kind with a largest number.
    Limit(Kind, usize),
    /// A kind with a list of words.
    Words(Kind, Vec<String>),
    NamePattern(Pattern),
    KeyPattern(Pattern, Scope),
}

impl Check {
    pub(super) fn kind(&self) -> Kind {
        match self {
            Self::Plain(kind) | Self::Limit(kind, _) | Self::Words(kind, _) => *kind,
            Self::NamePattern(_) => Kind::NamePattern,
            Self::KeyPattern(..) => Kind::KeyPattern,
        }
    }
}

/// What a kind needs to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Needs {
    Nothing,
    Max,
    Words,
    Pattern,
}

/// What a rule is checked on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Tool,
    Schema,
    List,
    Document,
}

macro_rules! kinds {
    ($($(#[$doc:meta])* $name:ident = $word:literal, $code:literal, $needs:ident, $unit:ident;)*) => {
        /// The kinds of rules.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        pub(super) enum Kind {
            $($(#[$doc])* #[serde(rename = $word)] $name,)*
        }

        impl Kind {
            /// As target files write it.
            pub(super) fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)* }
            }

            /// The code of its findings.
            pub(super) fn code(self) -> &'static str {
                match self { $(Self::$name => $code,)* }
            }

            pub(super) fn needs(self) -> Needs {
                match self { $(Self::$name => Needs::$needs,)* }
            }

            pub(super) fn unit(self) -> Unit {
                match self { $(Self::$name => Unit::$unit,)* }
            }

            #[cfg(test)]
            pub(super) const ALL: &[Kind] = &[$(Self::$name),*];
        }
    };
}

kinds! {
    /// The exposed name matches as a whole.
    NamePattern = "name_pattern", "target-name-pattern", Pattern, Tool;
    /// Characters of the exposed name.
    NameLength = "name_length", "target-name-length", Max, Tool;
    /// Characters of the tool's name without what the client adds.
    OwnNameLength = "own_name_length", "target-own-name-length", Max, Tool;
    /// Characters of the server's and the tool's name together.
    CombinedLength = "combined_length", "target-combined-length", Max, Tool;
    /// Code points of the description.
    DescriptionLength = "description_length", "target-description-length", Max, Tool;
    /// UTF-8 bytes of the description.
    DescriptionBytes = "description_bytes", "target-description-bytes", Max, Tool;
    /// There is a description.
    DescriptionPresent = "description_present", "target-description-missing", Nothing, Tool;
    /// There is an operationId.
    OperationId = "operation_id", "target-operation-id", Nothing, Tool;
    /// No parameter in these locations.
    ParametersNotIn = "parameters_not_in", "target-parameter-location", Words, Tool;
    /// Parameters have the default style.
    DefaultStyles = "default_styles", "target-parameter-style", Nothing, Tool;
    /// Bodies are JSON.
    JsonBodies = "json_bodies", "target-media-type", Nothing, Tool;
    /// The output schema, if any, is an object.
    OutputObject = "output_object", "target-output-root", Nothing, Tool;
    /// The root has `type: object`.
    RootObject = "root_object", "target-root-type", Nothing, Schema;
    /// The root has none of these keywords.
    RootWithout = "root_without", "target-root-keyword", Words, Schema;
    /// The root has only these keywords.
    RootOnly = "root_only", "target-root-keyword", Words, Schema;
    /// No schema has one of these keywords.
    Without = "without", "target-keyword", Words, Schema;
    /// Property names match as a whole.
    KeyPattern = "key_pattern", "target-key-pattern", Pattern, Schema;
    /// Arrays say what their items are.
    ArrayItems = "array_items", "target-array-items", Nothing, Schema;
    /// `type` is one word.
    SingleType = "single_type", "target-type-array", Nothing, Schema;
    /// `enum` has only texts.
    EnumStrings = "enum_strings", "target-enum-type", Nothing, Schema;
    /// `properties` and `required` only beside `type: object`.
    PropertiesOnObjects = "properties_on_objects", "target-properties-type", Nothing, Schema;
    /// `format` is one of these.
    Formats = "formats", "target-format", Words, Schema;
    /// Every `$ref` leads to something inside the schema.
    RefsResolve = "refs_resolve", "target-dangling-ref", Nothing, Schema;
    /// No `$ref` leads back to what holds it.
    NoRecursion = "no_recursion", "target-recursive-ref", Nothing, Schema;
    /// Levels of properties and items.
    Depth = "depth", "target-depth", Max, Schema;
    /// `required` names nothing twice.
    RequiredUnique = "required_unique", "target-duplicate-required", Nothing, Schema;
    /// `required` names every property.
    RequiredAll = "required_all", "target-optional-property", Nothing, Schema;
    /// Objects have `additionalProperties: false`.
    ClosedObjects = "closed_objects", "target-open-object", Nothing, Schema;
    /// Properties in the whole schema.
    PropertyCount = "property_count", "target-property-count", Max, Schema;
    /// Characters of property names, definition names and enum values.
    NameText = "name_text", "target-name-text", Max, Schema;
    /// Enum values in the whole schema.
    EnumCount = "enum_count", "target-enum-count", Max, Schema;
    /// No two tools have one name.
    UniqueNames = "unique_names", "target-duplicate-name", Nothing, List;
    /// Tools.
    ToolCount = "tool_count", "target-tool-count", Max, List;
    /// Characters of all names, descriptions and schemas.
    ListSize = "list_size", "target-list-size", Max, List;
    /// The version of the document begins so.
    Versions = "versions", "target-version", Words, Document;
    /// There is at most one server.
    OneServer = "one_server", "target-servers", Nothing, Document;
    /// The crate `openapiv3` reads the document.
    OpenApiV3 = "reads_with_openapiv3", "target-reader", Nothing, Document;
}
