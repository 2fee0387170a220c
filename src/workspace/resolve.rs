//! From options and the workspace file to what is to be loaded.

mod upstreams;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::config::{
    Config, Connection, Environment, Group, LintSettings, NamingSettings, OutboundAuth, TargetChoice, Validation, set,
};
use super::error::LoadError;
use super::library::Library;
use super::options::Options;
use super::pipeline::{self, undecodable, unreadable};
use super::secret::SecretRef;
use super::shown::{shown_lines, shown_setting};
use super::source::{Reader, Source};
use super::targets;
use crate::document::{FileId, Finding, Node, Origin, Pointer, Severity, SourceFile, Sources, Value};
use crate::lint;

/// Names of the workspace file, in the order in which they are looked for.
pub const FILE_NAMES: [&str; 2] = ["toolscope.yaml", "toolscope.yml"];
/// The naming profile when none is chosen.
pub const DEFAULT_PROFILE: &str = "default";

/// How the values of `--set` are named among the sources.
const SET: &str = "--set ";

/// Which documents and overlays, from where, with which settings. Nothing of it has been read yet, apart from the
/// workspace file.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// What the user would call it: the workspace file, the first document, or `demo`.
    pub name: String,
    /// The folder against which relative paths of the command line are read.
    pub folder: PathBuf,
    /// The workspace file.
    pub config_path: Option<PathBuf>,
    /// The built-in demo.
    pub is_demo: bool,
    /// The APIs, in order.
    pub upstreams: Vec<UpstreamSource>,
    /// Settings of names and descriptions.
    pub naming: NamingSettings,
    /// The naming profile.
    pub profile: String,
    /// Groups of tools.
    pub groups: Vec<Group>,
    /// Lint targets, as they were named.
    pub targets: Vec<TargetChoice>,
    /// Their rules; `None` when nothing names any.
    pub lint_targets: Option<Vec<lint::TargetChoice>>,
    /// Settings of what is looked for besides targets.
    pub lint: LintSettings,
    /// The user's own profiles and targets.
    pub library: Arc<Library>,
    /// Named base URLs and credentials.
    pub environments: Vec<Environment>,
    /// Files with saved cases.
    pub suites: Vec<PathBuf>,
    /// Suites that stand in the workspace file itself, and where.
    pub inline_suites: Vec<(Node, Pointer)>,
    /// The folder that references to files may not leave; `None` for the folder of each document.
    pub ref_root: Option<PathBuf>,
    /// Hosts from which references may be read.
    pub ref_hosts: Vec<String>,
    /// The workspace file and the values of `--set`, for the lines of findings.
    pub sources: Arc<Sources>,
    /// What is wrong with the workspace file.
    pub findings: Vec<Finding>,
    /// What it was made from, to make it again when the workspace file changes.
    pub options: Options,
}

/// One API and where its documents are.
#[derive(Clone, Debug)]
pub struct UpstreamSource {
    /// Name.
    pub name: String,
    /// Prefix of its tools.
    pub prefix: Option<String>,
    /// Base URL instead of that of the document; may hold `${NAME}`.
    pub base_url: Option<String>,
    /// Its tools are exposed.
    pub enabled: bool,
    /// The document.
    pub document: Source,
    /// Overlays, in the order in which they are applied.
    pub overlays: Vec<Source>,
    /// Headers of every call.
    pub headers: Vec<(String, SecretRef)>,
    /// How calls prove who they are.
    pub auth: OutboundAuth,
    /// What is checked in calls.
    pub validation: Validation,
    /// Time-out of a call as written (`10s`).
    pub timeout: Option<String>,
    /// Largest response as written (`10MB`).
    pub max_response_body: Option<String>,
    /// How it is reached.
    pub connection: Connection,
    /// The folder from which relative paths in `connection` are taken.
    pub folder: PathBuf,
}

impl Workspace {
    /// What the options say, with the workspace file of the folder where no document is named.
    ///
    /// # Errors
    /// There is nothing to load, an option names what is not there, or the workspace file is no YAML.
    pub fn resolve(options: &Options, cwd: &Path) -> Result<Self, LoadError> {
        Resolving::new(options, cwd).workspace()
    }

    /// The same, but the demo where nothing is named and the folder has no workspace file.
    ///
    /// # Errors
    /// As [`Self::resolve`].
    pub fn resolve_or_demo(options: &Options, cwd: &Path) -> Result<Self, LoadError> {
        let nothing = options.specs.is_empty() && options.config.is_none() && folder_file(cwd).is_none();
        if nothing && options.overlays.is_empty() {
            return Self::resolve(&Options { demo: true, ..options.clone() }, cwd);
        }
        Self::resolve(options, cwd)
    }
}

/// The workspace file of a folder.
fn folder_file(cwd: &Path) -> Option<&'static str> {
    FILE_NAMES.into_iter().find(|name| cwd.join(name).is_file())
}

struct Resolving<'a> {
    options: &'a Options,
    cwd: &'a Path,
    sources: Sources,
    findings: Vec<Finding>,
}

/// The workspace file before it is understood.
struct ConfigFile {
    name: String,
    path: PathBuf,
    root: Node,
}

impl<'a> Resolving<'a> {
    fn new(options: &'a Options, cwd: &'a Path) -> Self {
        Self { options, cwd, sources: Sources::default(), findings: Vec::new() }
    }

    fn workspace(mut self) -> Result<Workspace, LoadError> {
        let options = self.options;
        let file = self.config_file()?;
        let mut root = match &file {
            Some(file) => file.root.clone(),
            None => Node::new(Value::Null, Origin::new(FileId(0), 0, 0)),
        };
        for setting in &options.settings {
            let value = self.setting_value(&setting.path.join("."), &setting.value)?;
            set(&mut root, &setting.path, value)
                .map_err(|error| LoadError::usage(format!("--set {}: {error}", setting.path.join("."))))?;
        }
        let config_folder = match &file {
            Some(file) => file.path.parent().unwrap_or(self.cwd).to_owned(),
            None => self.cwd.to_owned(),
        };
        let mut config = Config::read(&root, &config_folder);
        self.refuse_wrong_settings(&config.findings)?;
        self.findings.append(&mut config.findings);
        let headers = self.headers();
        let upstreams = if options.demo {
            vec![self.demo_upstream()]
        } else if options.specs.is_empty() {
            self.configured(&config, file.as_ref(), &headers)?
        } else {
            self.named(&headers)?
        };
        let mut workspace = Workspace {
            name: self.title(file.as_ref()),
            folder: self.cwd.to_owned(),
            config_path: file.as_ref().map(|file| file.path.clone()),
            is_demo: options.demo,
            upstreams,
            profile: options.profile.clone().or(config.profile).unwrap_or_else(|| DEFAULT_PROFILE.to_owned()),
            naming: config.naming,
            groups: config.groups,
            targets: config.targets,
            lint_targets: None,
            lint: config.lint,
            library: Arc::new(Library::read(options, self.cwd)),
            environments: config.environments,
            suites: config.suites.iter().map(|path| config_folder.join(path)).collect(),
            inline_suites: config.inline_suites,
            ref_root: options.ref_root.as_ref().map(|root| self.cwd.join(root)),
            ref_hosts: config.ref_hosts,
            sources: Arc::default(),
            findings: Vec::new(),
            options: options.clone(),
        };
        if workspace.ref_root.is_none() {
            workspace.ref_root = config.ref_root.map(|root| config_folder.join(root));
        }
        self.findings.extend(workspace.library.findings(&mut self.sources));
        self.choose_targets(config.chooses_targets, &mut workspace)?;
        self.top_overlays(&config.overlays, file.as_ref(), &mut workspace.upstreams);
        self.bind_overlays(&mut workspace.upstreams, &headers)?;
        self.override_single(&mut workspace.upstreams)?;
        pipeline::check_profile(&workspace)?;
        workspace.sources = Arc::new(self.sources);
        workspace.findings = self.findings;
        Ok(workspace)
    }

    /// The workspace file: the one named, or that of the folder when no document is named.
    fn config_file(&mut self) -> Result<Option<ConfigFile>, LoadError> {
        let options = self.options;
        if options.demo && (!options.specs.is_empty() || options.config.is_some()) {
            return Err(LoadError::usage(
                "--demo opens the built-in workspace and takes no document or workspace file",
            )
            .remedy("Leave one of them out."));
        }
        let name = match &options.config {
            Some(path) => path.display().to_string(),
            None if options.demo || !options.specs.is_empty() => return Ok(None),
            None => match folder_file(self.cwd) {
                Some(name) => name.to_owned(),
                None => return Err(nothing_named(self.cwd)),
            },
        };
        let source = Source::written(&name, self.cwd);
        let mut reader = Reader::default();
        let place = super::source::Place::File(self.cwd.join(&name));
        let bytes = reader.read(&source, &place)?;
        let text = pipeline::decode(&bytes).map_err(|(message, remedy)| undecodable(&name, &message, remedy))?;
        let root = self.parse(&name, &text)?;
        Ok(Some(ConfigFile { path: self.cwd.join(&name), name, root }))
    }

    fn parse(&mut self, name: &str, text: &str) -> Result<Node, LoadError> {
        let id = self.sources.put(SourceFile::new(name, text));
        if text.trim().is_empty() {
            return Ok(Node::new(Value::Null, Origin::new(id, 0, 0)));
        }
        match pipeline::parse(id, name, text) {
            Ok(document) => {
                self.findings.extend(document.findings);
                Ok(document.root)
            }
            Err(error) => {
                let mut failed = unreadable(self.sources.get(id).map(Arc::as_ref), error);
                if let Some(excerpt) = &mut failed.excerpt {
                    excerpt.text = shown_lines(&excerpt.text);
                }
                Err(failed)
            }
        }
    }

    /// The value of a `--set`, as YAML; what is no YAML is text.
    fn setting_value(&mut self, key: &str, text: &str) -> Result<Node, LoadError> {
        let name = format!("{SET}{key}");
        let id = self.sources.put(SourceFile::new(name.as_str(), text));
        let origin = Origin::new(id, 0, text.len());
        if text.is_empty() {
            return Ok(Node::string("", origin));
        }
        match pipeline::parse(id, &format!("{name}.yaml"), text) {
            Ok(document) => Ok(document.root),
            Err(_) => Ok(Node::string(text, origin)),
        }
    }

    /// What is wrong in the workspace file is a finding; what is wrong on the command line is refused.
    fn refuse_wrong_settings(&self, findings: &[Finding]) -> Result<(), LoadError> {
        for finding in findings.iter().filter(|finding| finding.severity >= Severity::Warning) {
            let file = finding.place.as_ref().and_then(|place| self.sources.get(place.origin.file));
            if let Some(file) = file.filter(|file| file.name.starts_with(SET)) {
                let given = format!("{}={}", file.name.trim_start_matches(SET), file.text);
                let error = LoadError::usage(format!("{SET}{}: {}", shown_setting(&given), finding.message));
                return Err(match &finding.remedy {
                    Some(remedy) => error.remedy(remedy.clone()),
                    None => error,
                });
            }
        }
        Ok(())
    }

    /// `--target` comes before the workspace file.
    fn choose_targets(&self, file_chooses: bool, workspace: &mut Workspace) -> Result<(), LoadError> {
        let named = &self.options.targets;
        let from = if named.is_empty() { targets::From::File(&self.sources) } else { targets::From::CommandLine };
        if !named.is_empty() {
            let wanted = named.iter().filter(|text| *text != targets::NONE);
            workspace.targets = wanted.map(|text| TargetChoice::parse(text)).collect();
        }
        if file_chooses || !named.is_empty() {
            workspace.lint_targets = Some(targets::resolve(&workspace.targets, &workspace.library, &from)?);
        }
        Ok(())
    }

    fn title(&self, file: Option<&ConfigFile>) -> String {
        match (file, self.options.specs.first()) {
            (_, Some(spec)) => super::http::without_password(&spec.location),
            (Some(file), None) => file.name.clone(),
            (None, None) => "demo".to_owned(),
        }
    }

    fn headers(&mut self) -> Vec<(String, SecretRef)> {
        let mut headers = Vec::new();
        for header in &self.options.headers {
            let value = SecretRef::parse(&header.value, self.cwd);
            if value.is_literal() && crate::document::is_secret_header(&header.name) {
                let message = format!("--header {} holds a secret as plain text", header.name);
                let remedy = "Write a reference: `env:NAME`, `${NAME}` or `file:PATH`.";
                self.findings.push(Finding::warning("literal-secret", message).remedy(remedy));
            }
            headers.push((header.name.clone(), value));
        }
        headers
    }
}

fn nothing_named(cwd: &Path) -> LoadError {
    let error = LoadError::usage("no document is named, and this folder has no toolscope.yaml");
    let found = ["openapi.yaml", "openapi.yml", "openapi.json", "swagger.json", "swagger.yaml"]
        .into_iter()
        .find(|name| cwd.join(name).is_file());
    match found {
        Some(name) => error.remedy(format!("Name a document, such as {name}, or use --demo.")),
        None => error.remedy("Name a document (path, URL or -), or use --demo for the built-in pet store."),
    }
}
