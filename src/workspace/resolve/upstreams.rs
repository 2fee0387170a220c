//! The upstreams of a workspace: from the demo, the command line or the workspace file, with their overlays.

use std::path::{Path, PathBuf};

use super::{ConfigFile, Resolving, UpstreamSource};
use crate::workspace::config::{
    Config, Connection, OutboundAuth, SourceConfig, SourceText, UpstreamConfig, Validation, nearest,
};
use crate::workspace::error::LoadError;
use crate::workspace::options::SpecArg;
use crate::workspace::secret::SecretRef;
use crate::workspace::shown::shown_address;
use crate::workspace::source::Source;
use crate::workspace::{demo, parts};

impl Resolving<'_> {
    pub(super) fn demo_upstream(&self) -> UpstreamSource {
        let mut upstream = plain("petstore".to_owned(), Some(demo::PREFIX.to_owned()), demo::spec());
        upstream.overlays.push(demo::overlay());
        upstream
    }

    /// Upstreams of the command line.
    pub(super) fn named(&self, headers: &[(String, SecretRef)]) -> Result<Vec<UpstreamSource>, LoadError> {
        let mut upstreams: Vec<UpstreamSource> = Vec::new();
        for spec in &self.options.specs {
            let base = name_of(spec);
            let taken = |name: &str| upstreams.iter().any(|upstream| upstream.name == name);
            let mut name = base.clone();
            let mut number = 2;
            while taken(&name) {
                name = format!("{base}-{number}");
                number += 1;
            }
            let source = Source::written(&spec.location, self.cwd).with_headers(headers.iter().cloned());
            upstreams.push(plain(name, spec.prefix.clone(), source));
        }
        Ok(upstreams)
    }

    /// Upstreams of the workspace file.
    pub(super) fn configured(
        &self,
        config: &Config,
        file: Option<&ConfigFile>,
        headers: &[(String, SecretRef)],
    ) -> Result<Vec<UpstreamSource>, LoadError> {
        let mut upstreams = Vec::new();
        for upstream in &config.upstreams {
            let Some(document) = &upstream.openapi else { continue };
            upstreams.push(self.configured_upstream(upstream, document, file, headers));
        }
        if upstreams.is_empty() {
            let name = file.map_or("the workspace", |file| &file.name);
            let error = LoadError::input(format!("`{name}` names no document"));
            let error = match file {
                Some(file) => error.in_file(&file.name),
                None => error,
            };
            return Err(error.remedy("Add `upstreams: [{name: shop, openapi: {source: FILE or URL}}]`."));
        }
        Ok(upstreams)
    }

    fn configured_upstream(
        &self,
        upstream: &UpstreamConfig,
        document: &SourceConfig,
        file: Option<&ConfigFile>,
        headers: &[(String, SecretRef)],
    ) -> UpstreamSource {
        let source = |source: &SourceConfig, label: &str| self.configured_source(source, file, label);
        let overlays = upstream.overlays.iter().enumerate();
        UpstreamSource {
            name: upstream.name.clone(),
            prefix: upstream.prefix.clone(),
            base_url: upstream.base_url.clone(),
            enabled: upstream.enabled,
            document: source(document, &format!("{} openapi.inline", upstream.name))
                .with_headers(headers.iter().cloned()),
            overlays: overlays
                .map(|(at, overlay)| source(overlay, &format!("{} overlay {}", upstream.name, at + 1)))
                .collect(),
            headers: upstream.headers.clone(),
            auth: upstream.auth.clone(),
            validation: upstream.validation.clone(),
            timeout: upstream.timeout.clone(),
            max_response_body: upstream.max_response_body.clone(),
            connection: upstream.connection.clone(),
            folder: file.and_then(|file| file.path.parent()).unwrap_or(self.cwd).to_owned(),
        }
    }

    /// A source that the workspace file names; its name is a path from where the user stands.
    fn configured_source(&self, source: &SourceConfig, file: Option<&ConfigFile>, label: &str) -> Source {
        let config_name = file.map_or("toolscope.yaml", |file| &file.name);
        let made = match &source.location {
            SourceText::Inline(text) => Source::text(&format!("{config_name} ({label})"), text.as_str()),
            SourceText::At(text) => {
                let folder = file.and_then(|file| file.path.parent()).unwrap_or(self.cwd);
                let shown_folder = Path::new(config_name).parent().unwrap_or(Path::new(""));
                let source = Source::written(text, folder);
                if text.contains("://") || text == "-" || Path::new(text).is_absolute() || text.starts_with("${") {
                    source
                } else {
                    source.named(parts::join(&shown_folder.to_string_lossy(), text))
                }
            }
        };
        made.with_headers(source.auth_header.iter().map(|value| ("Authorization".to_owned(), value.clone())))
    }

    /// `overlays` at the top of the workspace file: for every upstream, after its own.
    pub(super) fn top_overlays(
        &self,
        overlays: &[SourceConfig],
        file: Option<&ConfigFile>,
        upstreams: &mut [UpstreamSource],
    ) {
        for (at, overlay) in overlays.iter().enumerate() {
            let source = self.configured_source(overlay, file, &format!("overlay {}", at + 1));
            for upstream in upstreams.iter_mut() {
                upstream.overlays.push(source.clone());
            }
        }
    }

    /// `--overlay`: for one upstream or for all.
    pub(super) fn bind_overlays(
        &self,
        upstreams: &mut [UpstreamSource],
        headers: &[(String, SecretRef)],
    ) -> Result<(), LoadError> {
        for overlay in &self.options.overlays {
            let source = Source::written(&overlay.location, self.cwd).with_headers(headers.iter().cloned());
            let Some(wanted) = &overlay.upstream else {
                for upstream in upstreams.iter_mut() {
                    upstream.overlays.push(source.clone());
                }
                continue;
            };
            let is_it = |upstream: &UpstreamSource| {
                upstream.name == *wanted || upstream.prefix.as_deref() == Some(wanted.as_str())
            };
            match upstreams.iter_mut().find(|upstream| is_it(upstream)) {
                Some(upstream) => upstream.overlays.push(source),
                None => {
                    let names: Vec<&str> = upstreams.iter().map(|upstream| upstream.name.as_str()).collect();
                    let near = nearest(wanted, names.iter().copied());
                    let error = LoadError::usage(format!("--overlay {wanted}=…: there is no upstream `{wanted}`"));
                    return Err(match near {
                        Some(near) => error.remedy(format!("Did you mean `{near}`?")),
                        None => error.remedy(format!("The upstreams are: {}.", names.join(", "))),
                    });
                }
            }
        }
        Ok(())
    }

    /// `--prefix` and `--base-url`, which mean one upstream.
    pub(super) fn override_single(&self, upstreams: &mut [UpstreamSource]) -> Result<(), LoadError> {
        let options = self.options;
        if options.prefix.is_none() && options.base_url.is_none() {
            return Ok(());
        }
        if let Some(base_url) = &options.base_url {
            let why = match url::Url::parse(base_url) {
                Ok(url) if url.has_host() => None,
                Ok(_) => Some("it names no host".to_owned()),
                Err(error) => Some(error.to_string()),
            };
            if let Some(why) = why {
                // What stands before an `@` may be a password.
                let bare = base_url.rsplit_once('@').filter(|_| !base_url.contains("://")).map(|(_, host)| host);
                let shown = bare.map_or_else(|| shown_address(base_url), |host| format!("***@{host}"));
                return Err(LoadError::usage(format!("--base-url `{shown}` is no URL: {why}"))
                    .remedy("Write it with its scheme, such as https://api.example.com/v1."));
            }
        }
        match upstreams {
            [upstream] => {
                if let Some(prefix) = &options.prefix {
                    upstream.prefix = Some(prefix.clone()).filter(|prefix| !prefix.is_empty());
                }
                if options.base_url.is_some() {
                    upstream.base_url.clone_from(&options.base_url);
                }
                Ok(())
            }
            _ => {
                let option = if options.prefix.is_some() { "--prefix" } else { "--base-url" };
                Err(LoadError::usage(format!("{option} means one document, and there are {}", upstreams.len()))
                    .remedy("Write P=SPEC for each document, or `tool_prefix` and `base_url` in a workspace file."))
            }
        }
    }
}

fn plain(name: String, prefix: Option<String>, document: Source) -> UpstreamSource {
    UpstreamSource {
        name,
        prefix,
        base_url: None,
        enabled: true,
        document,
        overlays: Vec::new(),
        headers: Vec::new(),
        auth: OutboundAuth::None,
        validation: Validation::default(),
        timeout: None,
        max_response_body: None,
        connection: Connection::default(),
        folder: PathBuf::new(),
    }
}

/// The prefix, else the stem of the file's name, else the host.
fn name_of(spec: &SpecArg) -> String {
    if let Some(prefix) = &spec.prefix {
        return prefix.clone();
    }
    if spec.location == "-" {
        return "stdin".to_owned();
    }
    let (path, host) = match url::Url::parse(&spec.location).ok().filter(|_| spec.location.contains("://")) {
        Some(url) => (url.path().to_owned(), url.host_str().map(str::to_owned)),
        None => (spec.location.clone(), None),
    };
    let stem = Path::new(&path).file_stem().map(|stem| stem.to_string_lossy().into_owned());
    stem.or(host).unwrap_or_else(|| "api".to_owned())
}
