//! What mends a finding, as a change of an overlay.

use std::collections::HashMap;

use super::authoring::operation_pointer;
use super::snapshot::Snapshot;
use crate::derive::{DescriptionSource, NAME_CONFLICT, Tool};
use crate::document::{Finding, Format, Node, Place, Pointer, Severity, Step, Value, parse};
use crate::naming::NameSource;
use crate::overlay::{Action, ActionKind, ActionTrail, Draft, Edit, Intent, Summary, plan, propose};

/// Characters of a name that is made shorter.
const NAME: usize = 40;
/// Deepest value of an action that is searched.
const DEEPEST: usize = 64;

/// What mends a finding.
#[derive(Clone, Debug, PartialEq)]
pub enum Fix {
    /// Something is wanted of a tool.
    Tool {
        /// The tool, by its place in `Catalog::all`.
        tool: usize,
        /// What; a name or a text in it is a proposal.
        intent: Intent,
    },
    /// Edits of an action that is there.
    Action {
        /// The upstream, by its number in the catalog.
        upstream: usize,
        /// Which of its overlays, from 0.
        overlay: usize,
        /// Which action of it, from 0.
        index: usize,
        /// What becomes of it.
        mend: Mend,
    },
}

/// What becomes of an action.
#[derive(Clone, Debug, PartialEq)]
pub enum Mend {
    /// It gets another target; the likeliest one.
    Retarget(String),
    /// It goes.
    Remove,
    /// One of its values becomes another one.
    Set {
        /// Where, from the action.
        at: Pointer,
        /// The value.
        value: Node,
    },
}

impl Fix {
    /// The edits of the overlay's text, for a fix of an action.
    pub fn edits(&self) -> Vec<Edit> {
        let Self::Action { index, mend, .. } = self else { return Vec::new() };
        vec![match mend {
            Mend::Retarget(target) => Edit::retarget(*index, target),
            Mend::Remove => Edit::remove_action(*index),
            Mend::Set { at, value } => {
                let mut steps = Pointer::default().key("actions").index(*index).0;
                steps.extend(at.0.iter().cloned());
                Edit::Set { at: Pointer(steps), value: value.clone() }
            }
        }]
    }
}

/// Finds what mends the findings of one load.
#[derive(Debug)]
pub struct Fixer<'a> {
    snapshot: &'a Snapshot,
    /// Tools by their names, with their places in `Catalog::all`.
    names: HashMap<&'a str, Vec<(usize, &'a Tool)>>,
}

impl<'a> Fixer<'a> {
    /// For the findings of a load.
    pub fn new(snapshot: &'a Snapshot) -> Self {
        let mut names: HashMap<&str, Vec<(usize, &Tool)>> = HashMap::new();
        for (at, tool) in snapshot.catalog.all().enumerate() {
            names.entry(tool.named.name.as_str()).or_default().push((at, tool));
        }
        Self { snapshot, names }
    }

    /// What mends a finding; `None` where no overlay does, or where only a person knows.
    pub fn fix(&self, finding: &Finding) -> Option<Fix> {
        if finding.code.starts_with("overlay-") {
            return self.of_overlay(finding);
        }
        let (at, tool) = self.tool(finding)?;
        let intent = match finding.code {
            NAME_CONFLICT
            | "name-truncated"
            | "name-rejected"
            | "target-duplicate-name"
            | "target-name-length"
            | "target-own-name-length"
            | "target-combined-length"
            | "target-name-cut" => Intent::Rename { name: self.name(at, tool)? },
            "no-description" => self.describe(said_by_path(tool)),
            "description-hidden" => self.describe(tool.operation.node.text("description")?.trim().to_owned()),
            "description-truncated" => self.describe(shorter(&tool.operation)?),
            "near-duplicate" => {
                let place = format!("({} {})", tool.operation.method, tool.operation.path);
                let said = tool.operation.description.trim_end_matches('.');
                if said.contains(&place) {
                    return None;
                }
                self.describe(format!("{said} {place}"))
            }
            _ => return self.of_name_rule(finding, at, tool),
        };
        Some(Fix::Tool { tool: at, intent })
    }

    /// The overlay action that the contract shows for a finding: the one to add, or the one that is there as it should be.
    /// `None` also where the action is to go.
    pub fn action(&self, finding: &Finding) -> Option<Node> {
        match self.fix(finding)? {
            Fix::Tool { tool, intent } => {
                let tool = self.snapshot.catalog.all().nth(tool)?;
                let root = &self.snapshot.documents.get(tool.upstream)?.main.root;
                let operations = [operation_pointer(&tool.operation.place.pointer)];
                Some(plan(root, &operations, &intent).ok()?.drafts.first()?.to_node())
            }
            Fix::Action { upstream, overlay, index, mend } => {
                let action = self.snapshot.overlays.get(upstream)?.overlays.get(overlay)?.actions.get(index)?;
                let target = match &mend {
                    Mend::Retarget(target) => target,
                    Mend::Remove => return None,
                    Mend::Set { .. } => &action.target,
                };
                let mut node = match &action.kind {
                    ActionKind::Update(value) => Draft::update(target, value.clone()),
                    ActionKind::Remove => Draft::remove(target),
                    _ => return None,
                }
                .to_node();
                if let Mend::Set { at, value } = mend {
                    at.find_mut(&mut node)?.value = value.value;
                }
                Some(node)
            }
        }
    }

    /// The tool that a finding is about. Several may claim its name: then the place tells them apart.
    fn tool(&self, finding: &Finding) -> Option<(usize, &'a Tool)> {
        let all = self.names.get(finding.tool.as_deref()?)?;
        let place = finding.place.as_ref();
        let found = all.iter().find(|(_, tool)| place.is_some_and(|place| is_of(tool, place)));
        found.or_else(|| all.first()).copied()
    }

    fn describe(&self, text: String) -> Intent {
        let reads = match self.snapshot.catalog.description_rules.source {
            DescriptionSource::Summary => Summary::First,
            DescriptionSource::Description => Summary::Last,
            DescriptionSource::Both => Summary::Both,
        };
        Intent::Describe { text, reads }
    }

    /// A name that no other tool has and that is not cut.
    fn name(&self, at: usize, tool: &Tool) -> Option<String> {
        let named = &tool.named;
        let head = head(tool);
        let base = |name: &Option<String>| Some(name.as_deref()?.strip_prefix(head)?.to_owned());
        let mut candidates = Vec::new();
        if named.source == NameSource::Override {
            candidates.extend(base(&named.candidates.operation_id));
        }
        if named.source != NameSource::Slug {
            candidates.extend(base(&named.candidates.slug));
        }
        if named.truncated.is_some() {
            candidates.push(first_words(&named.base));
        }
        candidates.push(first_words(&named.base));
        candidates.push(format!("{}_{}", tool.operation.method.to_lowercase(), named.base));
        candidates.extend((2..10).map(|number| format!("{}_{number}", first_words(&named.base))));
        let most = named.truncated.as_ref().map(|_| named.name.chars().count());
        candidates.into_iter().find(|candidate| {
            let exposed = format!("{head}{candidate}");
            let is_free = self.names.get(exposed.as_str()).is_none_or(|all| all.iter().all(|(other, _)| *other == at));
            let fits = most.is_none_or(|most| exposed.chars().count() < most);
            !candidate.is_empty() && is_free && fits && exposed != named.name
        })
    }

    /// Rules of targets about names and descriptions.
    fn of_name_rule(&self, finding: &Finding, at: usize, tool: &Tool) -> Option<Fix> {
        let intent = match finding.code {
            "target-name-pattern" => {
                let name = plain(&first_words(&tool.named.base));
                let head = head(tool);
                let is_free = !name.is_empty() && !self.names.contains_key(format!("{head}{name}").as_str());
                Intent::Rename { name: is_free.then_some(name)? }
            }
            "target-description-missing" => self.describe(said_by_path(tool)),
            "target-description-length" | "target-description-bytes" => {
                self.describe(first_sentence(&tool.operation.description)?)
            }
            _ => return None,
        };
        Some(Fix::Tool { tool: at, intent })
    }

    /// What mends an action.
    fn of_overlay(&self, finding: &Finding) -> Option<Fix> {
        let place = finding.place.as_ref()?;
        let (upstream, overlay) = self
            .snapshot
            .overlays
            .iter()
            .enumerate()
            .find_map(|(at, all)| Some((at, all.files.iter().position(|file| file.file == place.origin.file)?)))?;
        let all = self.snapshot.overlays.get(upstream)?;
        let (index, action) = all.overlays.get(overlay)?.actions.iter().enumerate().find(|(_, action)| {
            let (outer, inner) = (action.origin, place.origin);
            outer.start <= inner.start && inner.end <= outer.end
        })?;
        let trail =
            all.trails.iter().find(|trail| trail.overlay == place.origin.file && usize::from(trail.index) == index);
        let mend = match finding.code {
            "overlay-no-match" => Mend::Retarget(self.likeliest(upstream, trail?)?),
            "overlay-no-change" | "overlay-overridden" | "overlay-no-effect" => Mend::Remove,
            "overlay-type-surprise" => typed(action, place, finding.severity)?,
            _ => return None,
        };
        Some(Fix::Action { upstream, overlay, index, mend })
    }

    /// The likeliest target that was meant.
    fn likeliest(&self, upstream: usize, trail: &ActionTrail) -> Option<String> {
        let root = &self.snapshot.documents.get(upstream)?.main.root;
        Some(propose(trail, root, None).into_iter().next()?.target)
    }
}

/// Does a place belong to the tool's own operation?
fn is_of(tool: &Tool, place: &Place) -> bool {
    let own = &tool.operation.place;
    let inside = place.pointer.strip_prefix(&*own.pointer).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'));
    tool.name_place() == place || inside && place.origin.file == own.origin.file
}

/// The value without its quotes, or with them: what a person meant who was surprised.
fn typed(action: &Action, place: &Place, severity: Severity) -> Option<Mend> {
    let ActionKind::Update(value) = &action.kind else { return None };
    let at = find(value, place.origin.start, &mut Pointer::default().key("update"), DEEPEST)?;
    let found = Pointer(at.0.get(1..)?.to_vec());
    let node = found.find(value)?;
    let value = match (severity, node.as_str()) {
        (Severity::Warning, Some(text)) => {
            let read = parse(place.origin.file, "value.json", text).ok()?;
            let is_plain = matches!(read.root.value, Value::Bool(_) | Value::Number(_));
            (read.format == Format::Json && is_plain).then_some(read.root)?
        }
        (Severity::Info, None) if node.as_map().is_none() && node.as_list().is_none() => {
            Node::string(crate::document::to_json(node, false), node.origin)
        }
        _ => return None,
    };
    Some(Mend::Set { at, value })
}

/// The node that begins at an offset.
fn find(node: &Node, offset: u32, at: &mut Pointer, levels: usize) -> Option<Pointer> {
    let levels = levels.checked_sub(1)?;
    if node.origin.start == offset && node.as_map().is_none() && node.as_list().is_none() {
        return Some(at.clone());
    }
    for entry in node.members() {
        at.0.push(Step::Key(entry.key.clone()));
        let found = find(&entry.value, offset, at, levels);
        at.0.pop();
        if found.is_some() {
            return found;
        }
    }
    for (index, item) in node.items().enumerate() {
        at.0.push(Step::Index(index));
        let found = find(item, offset, at, levels);
        at.0.pop();
        if found.is_some() {
            return found;
        }
    }
    None
}

/// What the profile puts before a tool's own name. A name that was numbered or cut does not end with the own one, so the
/// step that put it there is asked.
fn head(tool: &Tool) -> &str {
    let named = &tool.named;
    let step = named.trail.iter().find(|step| step.stage == "namespace");
    let head =
        step.map_or_else(|| named.name.strip_suffix(&*named.base), |step| step.after.strip_suffix(&*step.before));
    head.unwrap_or_default()
}

/// As many words of a name as make a short one.
fn first_words(name: &str) -> String {
    let mut out = String::new();
    for word in name.split_inclusive(['_', '-', '.', '/']) {
        if out.chars().count() + word.trim_end_matches(['_', '-', '.', '/']).chars().count() > NAME {
            break;
        }
        out.push_str(word);
    }
    if out.is_empty() {
        out = name.chars().take(NAME).collect();
    }
    out.trim_end_matches(['_', '-', '.', '/']).to_owned()
}

/// A name of letters that every client takes.
fn plain(name: &str) -> String {
    let replaced = |c: char| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' };
    name.chars().map(replaced).collect::<String>().trim_matches('_').to_owned()
}

/// What method and path say of an operation: `Get pets by petId`.
fn said_by_path(tool: &Tool) -> String {
    let operation = &tool.operation;
    let verb = match &*operation.method {
        "GET" => "Get",
        "POST" => "Create or run",
        "PUT" => "Replace",
        "PATCH" => "Change",
        "DELETE" => "Delete",
        other => other,
    };
    let mut words = vec![verb.to_owned()];
    let mut by = Vec::new();
    for part in operation.path.split('/').filter(|part| !part.is_empty()) {
        match part.strip_prefix('{').and_then(|part| part.strip_suffix('}')) {
            Some(name) => by.push(name.to_owned()),
            None => words.push(part.replace(['_', '-'], " ")),
        }
    }
    if !by.is_empty() {
        words.push(format!("by {}", by.join(" and ")));
    }
    words.join(" ")
}

/// The whole sentences of a description that is cut, as many as are kept.
fn shorter(operation: &crate::derive::Operation) -> Option<String> {
    let truncated = operation.description_truncated.as_ref()?;
    let kept = operation.description.chars().count();
    let head: String = truncated.full.chars().take(kept).collect();
    let end = head.rfind(". ").or_else(|| head.rfind(".\n")).map(|at| at + 1)?;
    Some(head.get(..end)?.to_owned())
}

fn first_sentence(text: &str) -> Option<String> {
    let end = text.find(". ").or_else(|| text.find(".\n"))?;
    Some(text.get(..=end)?.to_owned())
}
