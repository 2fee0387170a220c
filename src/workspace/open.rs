//! Reading all documents of a workspace with the parts that they refer to, and all overlays.

use std::collections::{HashMap, HashSet, VecDeque};
use std::path::PathBuf;
use std::sync::Arc;

use super::error::LoadError;
use super::loader::Overlaid;
use super::parts::{self, Base, Policy};
use super::pipeline;
use super::pipeline::{undecodable, unreadable};
use super::resolve::{UpstreamSource, Workspace};
use super::snapshot::Snapshot;
use super::source::{Place, Reader, Source};
use crate::document::{Document, DocumentSet, FileId, Finding, Node, SourceFile, Sources};

/// As many parts are read for all documents together.
const MAX_PARTS: usize = 20_000;
/// As many bytes of parts are read for all documents together.
const MAX_PART_BYTES: usize = 512 * 1024 * 1024;

/// The documents of a workspace, before overlays.
#[derive(Clone, Debug)]
pub struct Opened {
    /// All files that were read.
    pub sources: Sources,
    /// The upstreams, in order. One that is not enabled and cannot be read is left out.
    pub upstreams: Vec<OpenedUpstream>,
    /// Files on disk.
    pub files: Vec<PathBuf>,
    /// Of the workspace file.
    pub findings: Vec<Finding>,
}

/// One upstream with its documents.
#[derive(Clone, Debug)]
pub struct OpenedUpstream {
    /// What the workspace says of it.
    pub source: UpstreamSource,
    /// The document and its parts.
    pub original: Arc<DocumentSet>,
    /// The overlays, in the order in which they are applied.
    pub overlays: Vec<Document>,
    base: Base,
    policy: Policy,
    credentials: Credentials,
}

/// Headers that may be sent with parts: those of the document, to the same origin only.
type Credentials = Option<(url::Origin, Source)>;

/// Reads everything. What a previous load read is taken from there when its bytes are the same, so that the trees are
/// the same allocations.
///
/// # Errors
/// A document or overlay of an enabled upstream cannot be read. A part that cannot be read is no error: the
/// references to it are broken.
pub(super) fn open_with<'a>(
    workspace: &'a Workspace,
    previous: Option<&'a Snapshot>,
    reader: &'a mut Reader,
) -> Result<(Opened, Opening<'a>), LoadError> {
    let mut opening = Opening::new(workspace, previous, reader);
    let mut upstreams = Vec::new();
    for source in &workspace.upstreams {
        match opening.upstream(source) {
            Ok(upstream) => upstreams.push(upstream),
            Err(error) if source.enabled => return Err(error),
            Err(error) => {
                let message =
                    format!("the upstream `{}` is not enabled and was not read: {}", source.name, error.message);
                opening.findings.push(Finding::info("upstream-not-read", message));
            }
        }
    }
    let findings = std::mem::take(&mut opening.findings);
    Ok((Opened { sources: Sources::default(), upstreams, files: Vec::new(), findings }, opening))
}

/// The state of one reading.
pub(super) struct Opening<'a> {
    workspace: &'a Workspace,
    reader: &'a mut Reader,
    /// Texts of the previous load, to know what is unchanged.
    before: HashMap<FileId, &'a Document>,
    /// The documents of the previous load with their parts, and all its files.
    sets: &'a [Arc<DocumentSet>],
    part_files: &'a [PathBuf],
    pub(super) sources: Sources,
    ids: HashMap<String, FileId>,
    /// Every tree of this reading.
    documents: HashMap<FileId, Document>,
    /// Every part that was asked for, by its real place.
    places: HashMap<String, Result<FileId, String>>,
    part_count: usize,
    part_bytes: usize,
    pub(super) files: Vec<PathBuf>,
    findings: Vec<Finding>,
}

impl<'a> Opening<'a> {
    pub(super) fn new(workspace: &'a Workspace, previous: Option<&'a Snapshot>, reader: &'a mut Reader) -> Self {
        let mut sources = Sources::default();
        let mut before = HashMap::new();
        if let Some(previous) = previous {
            sources.clone_from(&previous.catalog.sources);
            before = previous.originals.iter().flat_map(|set| set.documents()).map(|doc| (doc.file, doc)).collect();
        }
        let mut opening = Self {
            workspace,
            reader,
            before,
            sets: previous.map_or(&[], |previous| &previous.originals),
            part_files: previous.map_or(&[], |previous| &previous.files),
            sources,
            ids: HashMap::new(),
            documents: HashMap::new(),
            places: HashMap::new(),
            part_count: 0,
            part_bytes: 0,
            files: workspace.config_path.iter().cloned().collect(),
            findings: workspace.findings.clone(),
        };
        opening.take_workspace_files();
        opening.ids = opening.sources.iter().map(|(id, file)| (file.name.clone(), id)).collect();
        opening
    }

    /// The numbers of the workspace's own files are in its findings already, so they must hold here too.
    fn take_workspace_files(&mut self) {
        let copy = |file: &SourceFile| SourceFile::new(file.name.as_str(), file.text.clone());
        let own = &self.workspace.sources;
        let fits = own.iter().all(|(id, file)| self.sources.get(id).is_none_or(|known| known.name == file.name));
        if !fits || self.sources.iter().count() == 0 {
            self.sources = Sources::default();
            self.before.clear();
        }
        for (_, file) in own.iter() {
            self.sources.put(copy(file));
        }
    }

    fn upstream(&mut self, source: &UpstreamSource) -> Result<OpenedUpstream, LoadError> {
        let place = source.document.place(self.reader.env.as_ref())?;
        let place = real(place);
        let main = self.main(&source.document, &place)?;
        let fallback = self.workspace.ref_root.as_deref();
        let base = Base::of(&place, fallback);
        let policy = self.policy(&base);
        let credentials = credentials_of(&source.document, &place);
        let original = match self.held_set(&main) {
            Some(set) => set,
            None => {
                let mut set = DocumentSet::single(main.clone());
                self.follow(&mut set, vec![(main.file, base.clone(), main.root, None)], &policy, &credentials);
                Arc::new(set)
            }
        };
        let overlays: Result<Vec<Document>, LoadError> =
            source.overlays.iter().map(|overlay| self.overlay(overlay)).collect();
        Ok(OpenedUpstream { source: source.clone(), original, overlays: overlays?, base, policy, credentials })
    }

    fn policy(&self, base: &Base) -> Policy {
        let folder = match (&self.workspace.ref_root, base) {
            (Some(root), _) => Some(root.clone()),
            (None, Base::Folder(folder)) => Some(folder.clone()),
            (None, _) => None,
        };
        let root = folder.map(|folder| folder.canonicalize().unwrap_or(folder));
        Policy { root, hosts: self.workspace.ref_hosts.clone() }
    }

    fn main(&mut self, source: &Source, place: &Place) -> Result<Document, LoadError> {
        if let Some(Ok(id)) = self.places.get(&key_of(place))
            && let Some(document) = self.documents.get(id)
        {
            return Ok(document.clone());
        }
        // What is not saved stands for a file all the same; what is built in for none.
        self.files.extend(source.stands_for.clone().filter(|path| path.is_absolute()));
        let document = match self.held(source, place) {
            Some(document) => document,
            None => {
                let text = self.text(source, place)?;
                self.document(&source.name, text)?
            }
        };
        self.places.insert(key_of(place), Ok(document.file));
        Ok(document)
    }

    fn overlay(&mut self, source: &Source) -> Result<Document, LoadError> {
        let place = real(source.place(self.reader.env.as_ref())?);
        self.main(source, &place)
    }

    fn text(&mut self, source: &Source, place: &Place) -> Result<String, LoadError> {
        // Standard input was read by an earlier load and cannot be read again.
        if (matches!(place, Place::Stdin) || self.reader.holds && !matches!(place, Place::Text(_)))
            && let Some(file) = self.ids.get(&source.name).and_then(|id| self.sources.get(*id))
        {
            let text = file.text.to_string();
            self.files.extend(file_of(place));
            return Ok(text);
        }
        let bytes = self.reader.read(source, place)?;
        self.files.extend(file_of(place));
        pipeline::decode(&bytes).map_err(|(message, remedy)| undecodable(&source.name, &message, remedy))
    }

    /// The document with its parts as the previous load had it, when nothing is to be read again: looking for references
    /// in a large document takes longer than everything else that a key in an overlay does.
    fn held_set(&mut self, main: &Document) -> Option<Arc<DocumentSet>> {
        let set = self.sets.iter().find(|set| set.main.file == main.file && set.main.root.same(&main.root))?.clone();
        if !self.reader.holds {
            return None;
        }
        for part in set.documents().filter(|part| part.file != main.file) {
            self.documents.insert(part.file, part.clone());
        }
        self.files.extend(self.part_files.iter().cloned());
        Some(set)
    }

    /// The tree of the previous load, when nothing is to be read again.
    fn held(&mut self, source: &Source, place: &Place) -> Option<Document> {
        if !self.reader.holds || matches!(place, Place::Text(_)) {
            return None;
        }
        let document = (*self.before.get(self.ids.get(&source.name)?)?).clone();
        self.files.extend(file_of(place));
        self.documents.insert(document.file, document.clone());
        Some(document)
    }

    /// The tree of a text; that of the previous load when the text is the same.
    fn document(&mut self, name: &str, text: String) -> Result<Document, LoadError> {
        let known = self.ids.get(name).copied();
        if let Some(id) = known
            && let Some(document) = self.before.get(&id)
            && self.sources.get(id).is_some_and(|file| *file.text == *text)
        {
            let document = (*document).clone();
            self.documents.insert(id, document.clone());
            return Ok(document);
        }
        let same = known.filter(|id| self.sources.get(*id).is_some_and(|file| *file.text == *text));
        let id = match same {
            Some(id) => id,
            None => self.sources.put(SourceFile::new(name, text.as_str())),
        };
        self.ids.insert(name.to_owned(), id);
        let document = pipeline::parse(id, name, &text)
            .map_err(|error| unreadable(self.sources.get(id).map(Arc::as_ref), error))?;
        self.documents.insert(id, document.clone());
        Ok(document)
    }

    /// Reads what the trees refer to, and what that refers to, breadth first.
    pub(super) fn follow(
        &mut self,
        set: &mut DocumentSet,
        start: Vec<(FileId, Base, Node, Option<Node>)>,
        policy: &Policy,
        credentials: &Credentials,
    ) {
        let mut known: HashSet<FileId> = set.documents().map(|document| document.file).collect();
        let mut open: VecDeque<_> = start.into();
        while let Some((from, base, root, before)) = open.pop_front() {
            for reference in parts::references(&root, before.as_ref()) {
                let found = self.part(from, &base, reference, policy, credentials);
                if let Ok((id, part_base)) = &found
                    && known.insert(*id)
                    && let Some(document) = self.documents.get(id)
                {
                    set.add_part(document.clone());
                    open.push_back((*id, part_base.clone(), document.root.clone(), None));
                }
                set.link(from, reference, found.map(|(id, _)| id));
            }
        }
    }

    /// Reads what an overlay brought references to. They are read against the main document, as what it wrote is.
    pub(super) fn follow_overlaid(&mut self, upstream: &OpenedUpstream, overlaid: &mut Overlaid) {
        let (before, after) = (&upstream.original.main, &overlaid.documents.main);
        let start = vec![(after.file, upstream.base.clone(), after.root.clone(), Some(before.root.clone()))];
        let mut set = (*overlaid.documents).clone();
        self.follow(&mut set, start, &upstream.policy, &upstream.credentials);
        overlaid.documents = Arc::new(set);
    }

    fn part(
        &mut self,
        from: FileId,
        base: &Base,
        reference: &str,
        policy: &Policy,
        credentials: &Credentials,
    ) -> Result<(FileId, Base), String> {
        let place = policy.locate(base, reference)?;
        let key = key_of(&place);
        let part_base = Base::of(&place, None);
        if let Some(known) = self.places.get(&key) {
            return known.clone().map(|id| (id, part_base));
        }
        let from_name = self.sources.get(from).map(|file| file.name.clone()).unwrap_or_default();
        let name = parts::name_of(&from_name, reference);
        let mut source = Source::text(&name, "");
        if let (Place::Url(url), Some((origin, main))) = (&place, credentials)
            && url.origin() == *origin
        {
            source.headers.clone_from(&main.headers);
        }
        let read = self.read_part(&source, &place);
        self.places.insert(key, read.clone());
        read.map(|id| (id, part_base))
    }

    fn read_part(&mut self, source: &Source, place: &Place) -> Result<FileId, String> {
        if self.part_count >= MAX_PARTS || self.part_bytes >= MAX_PART_BYTES {
            return Err(format!("the documents refer to too many files (more than {MAX_PARTS}, or 512 MiB)"));
        }
        let text = self.text(source, place).map_err(|error| error.message)?;
        self.part_count += 1;
        self.part_bytes += text.len();
        let document = self.document(&source.name, text).map_err(|error| match (error.line, error.column) {
            (Some(line), Some(column)) => format!("{}:{line}:{column}: {}", source.name, error.message),
            _ => error.message,
        })?;
        Ok(document.file)
    }
}

fn file_of(place: &Place) -> Option<PathBuf> {
    match place {
        Place::File(path) => Some(path.clone()),
        _ => None,
    }
}

fn credentials_of(source: &Source, place: &Place) -> Credentials {
    match place {
        Place::Url(url) if !source.headers.is_empty() => Some((url.origin(), source.clone())),
        _ => None,
    }
}

/// A file's path without links and dots, so that a file has one number however it is named.
fn real(place: Place) -> Place {
    match place {
        Place::File(path) => Place::File(path.canonicalize().unwrap_or(path)),
        other => other,
    }
}

fn key_of(place: &Place) -> String {
    match place {
        Place::File(path) => format!("file {}", path.display()),
        Place::Url(url) => {
            let mut url = url.clone();
            url.set_fragment(None);
            format!("url {url}")
        }
        Place::Stdin => "-".to_owned(),
        Place::Text(text) => format!("text {text}"),
    }
}
