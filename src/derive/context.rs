//! What the derivation of one document set shares between its operations.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::document::{DocumentSet, FileId, Node, Place, RefError, Version};

use super::model::ParameterIn;
use super::report::Report;
use super::schema::{Direction, Graph};
use super::settings::{ArgumentNames, DescriptionRules, Settings};

/// One upstream while its operations are derived.
pub(crate) struct Context<'a> {
    pub(crate) set: &'a DocumentSet,
    pub(crate) version: Version,
    pub(crate) rules: &'a DescriptionRules,
    pub(crate) arguments: ArgumentNames,
    pub(crate) requests: Graph<'a>,
    pub(crate) responses: Graph<'a>,
    /// Where the security schemes of the operation at hand put their keys.
    credentials: Vec<(ParameterIn, &'a str)>,
}

/// The references that a tool rests on: the file in which each stands and its text.
pub(crate) type Dependencies = BTreeSet<(FileId, Arc<str>)>;

impl<'a> Context<'a> {
    pub(crate) fn new(set: &'a DocumentSet, version: Version, settings: &'a Settings) -> Self {
        let requests = Graph::new(set, version, Direction::Request);
        let responses = Graph::new(set, version, Direction::Response);
        let (rules, arguments) = (&settings.description, settings.arguments);
        Self { set, version, rules, arguments, requests, responses, credentials: Vec::new() }
    }

    /// Turns to an operation: its security requirements, else those of the document, say what is a credential.
    pub(crate) fn turn_to(&mut self, operation: &Node) {
        let root = &self.set.main.root;
        let requirements = operation.get("security").or_else(|| root.get("security"));
        let schemes = match self.version {
            Version::Swagger2 => root.get("securityDefinitions"),
            _ => root.get("components").and_then(|components| components.get("securitySchemes")),
        };
        let named = requirements.into_iter().flat_map(Node::items).flat_map(Node::members);
        let schemes = named.filter_map(|requirement| schemes?.get(&requirement.key));
        let keys = schemes.filter_map(|scheme| {
            let scheme = self.set.follow(scheme).ok()?;
            let location = match scheme.text("in").filter(|_| scheme.text("type") == Some("apiKey"))? {
                "query" => ParameterIn::Query,
                "header" => ParameterIn::Header,
                "cookie" => ParameterIn::Cookie,
                _ => return None,
            };
            Some((location, scheme.text("name")?))
        });
        self.credentials = keys.collect();
    }

    /// Does the parameter carry the key of a security scheme?
    pub(crate) fn is_credential(&self, location: ParameterIn, name: &str) -> bool {
        self.credentials.iter().any(|(other, key)| {
            *other == location && (*key == name || (location == ParameterIn::Header && key.eq_ignore_ascii_case(name)))
        })
    }

    /// Follows a reference object, noting what the tool rests on.
    pub(crate) fn follow<'s>(&self, node: &'s Node, depends: &mut Dependencies) -> Result<&'s Node, RefError>
    where
        'a: 's,
    {
        let mut at = node;
        // `DocumentSet::follow` bounds the chain; this walk only notes its links.
        let end = self.set.follow(node)?;
        while !std::ptr::eq(at, end) {
            let Some(reference) = at.get("$ref") else { break };
            if let Some(text) = reference.as_str() {
                depends.insert((self.set.base_of(reference), text.into()));
            }
            at = self.set.resolve(reference)?.node;
        }
        Ok(end)
    }

    /// The same; a broken reference degrades the tool.
    pub(crate) fn follow_or_degrade<'s>(
        &self,
        node: &'s Node,
        place: Place,
        depends: &mut Dependencies,
        report: &mut Report,
    ) -> Option<&'s Node>
    where
        'a: 's,
    {
        match self.follow(node, depends) {
            Ok(found) => Some(found),
            Err(error) => {
                report.degrade("broken-ref", place, error.to_string());
                None
            }
        }
    }
}
