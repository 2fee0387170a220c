//! `overlay add`: what is wanted of a tool becomes an action in an overlay file.

use super::args::{OverlayAddArgs, What};
use super::failure::{Failure, exit};
use super::output::{Output, harmless, say};
use super::overlay_diff::{diff_lines, lines};
use super::{current_folder, find};
use crate::derive::Tool;
use crate::document::{FileId, Node, Origin, ResponseFormat, parse};
use crate::overlay::{Argument, AuthorError, Authored, Intent, Summary, Transform};
use crate::workspace::{
    self, Options, OverlayArg, Preview, PreviewError, Reader, SaveError, SpecArg, TextFile, Wish, Workspace,
};

/// As many lines of the effect are shown.
const SHOWN: usize = 20;

pub(super) fn run(args: &OverlayAddArgs) -> Result<u8, Failure> {
    let mut reader = Reader::default();
    let file = TextFile::read(&args.file).map_err(unsaved)?;
    let name = args.file.display().to_string();
    let (workspace, named) = surroundings(args, &file, &mut reader)?;
    let before = workspace::load_with(&workspace, None, &mut reader)?;
    let tool = find::tool(&before.catalog, &args.tool)?;
    let reads = match before.catalog.description_rules.source {
        crate::derive::DescriptionSource::Summary => Summary::First,
        crate::derive::DescriptionSource::Description => Summary::Last,
        crate::derive::DescriptionSource::Both => Summary::Both,
    };
    let intent = intent(args, tool, reads)?;
    let upstream = before.catalog.upstreams.get(tool.upstream).map(|upstream| upstream.name.clone());
    let wish = Wish {
        file: &file,
        name: &name,
        upstream: &upstream.unwrap_or_default(),
        operations: &[workspace::operation_pointer(&tool.operation.place.pointer)],
        intent: &intent,
    };
    let preview = match workspace::preview(&workspace, &before, &wish, &mut reader) {
        Ok(preview) => preview,
        Err(PreviewError::Author(AuthorError::Intent(error))) if error.nothing => {
            say(&format!("{}: {error}", tool.named.name));
            return Ok(exit::OK);
        }
        Err(error) => return Err(refused(error)),
    };
    if args.dry_run {
        let mut out = Output::stdout(args.color);
        diff_lines(&mut out, &preview.authored.patch.unified(&name))?;
        out.finish()?;
    } else {
        file.save(&preview.authored.patch.after).map_err(unsaved)?;
    }
    tell(&name, args, &file, &preview);
    if !named && !args.dry_run && workspace.config_path.is_some() {
        say(&format!("note: the workspace file does not name {name} among its `overlays` yet"));
    }
    Ok(exit::OK)
}

/// The workspace with the file among its overlays, so that names which it gave are known; and whether it named the file
/// by itself.
fn surroundings(args: &OverlayAddArgs, file: &TextFile, reader: &mut Reader) -> Result<(Workspace, bool), Failure> {
    let mut options = Options {
        specs: args.spec.iter().map(|text| SpecArg::parse(text)).collect(),
        overlays: args.overlay.iter().map(|text| OverlayArg::parse(text)).collect(),
        config: args.config.clone(),
        prefix: args.prefix.clone(),
        profile: args.profile.clone(),
        settings: args.set.clone(),
        headers: args.header.clone(),
        ..Options::default()
    };
    let folder = current_folder()?;
    let mut workspace = Workspace::resolve(&options, &folder)?;
    let named = workspace.upstreams.iter().any(|upstream| workspace::slot(upstream, &file.path, reader).is_some());
    if !file.exists() {
        // It is named and still to be made.
        for upstream in &mut workspace.upstreams {
            if let Some(at) = workspace::slot(upstream, &file.path, reader) {
                upstream.overlays.remove(at);
            }
        }
    }
    if named || !file.exists() {
        return Ok((workspace, named));
    }
    let upstream = match workspace.upstreams.as_slice() {
        [_] => None,
        _ => {
            let snapshot = workspace::load_with(&workspace, None, reader)?;
            let tool = find::tool(&snapshot.catalog, &args.tool)?;
            snapshot.catalog.upstreams.get(tool.upstream).map(|upstream| upstream.name.clone())
        }
    };
    options.overlays.push(OverlayArg { upstream, location: file.path.to_string_lossy().into_owned() });
    Ok((Workspace::resolve(&options, &folder)?, false))
}

fn intent(args: &OverlayAddArgs, tool: &Tool, reads: Summary) -> Result<Intent, Failure> {
    let word = args.value.as_deref();
    let value = |what: &str| {
        word.map(str::to_owned).ok_or_else(|| Failure::usage(format!("{what} is missing"), "Give it after the tool."))
    };
    let transform = |over| value("the jq program").map(|program| Intent::Transform { over, program });
    let takes_none = matches!(args.what, What::Hide | What::Show);
    if let (true, Some(word)) = (takes_none, word) {
        return Err(Failure::usage(format!("`{word}` is one word too many"), "`hide` and `show` take a tool alone."));
    }
    Ok(match args.what {
        What::Rename => Intent::Rename { name: value("the new name")? },
        What::Describe => Intent::Describe { text: value("the description")?, reads },
        What::Hide => Intent::Hide,
        What::Show => Intent::Show,
        What::Safe => match word {
            None | Some("true") => Intent::Safe(true),
            Some("false") => Intent::Safe(false),
            Some(other) => {
                return Err(Failure::usage(format!("`{other}` is neither true nor false"), "Write true or false."));
            }
        },
        What::Format => {
            let word = value("the response format")?;
            let words: Vec<&str> = ResponseFormat::ALL.iter().map(|format| format.word()).collect();
            let unknown = || {
                let remedy = format!("The formats are {}.", words.join(", "));
                Failure::usage(format!("`{word}` is no response format"), remedy)
            };
            Intent::Format(ResponseFormat::parse(&word).ok_or_else(unknown)?)
        }
        What::Require => Intent::Required { argument: argument(tool, &value("the argument")?)?, required: true },
        What::Optional => Intent::Required { argument: argument(tool, &value("the argument")?)?, required: false },
        What::Default => {
            let pair = value("ARGUMENT=VALUE")?;
            let (name, text) = pair.split_once('=').ok_or_else(|| {
                Failure::usage(format!("`{pair}` has no `=`"), "Write ARGUMENT=VALUE, such as limit=20.")
            })?;
            Intent::Default { argument: argument(tool, name)?, value: json_or_text(text) }
        }
        What::RequestTransform => transform(Transform::Request)?,
        What::ResponseTransform => transform(Transform::Response)?,
        What::ErrorTransform => transform(Transform::Error)?,
    })
}

/// JSON if it parses, else text.
fn json_or_text(text: &str) -> Node {
    match parse(FileId(0), "value.json", text) {
        Ok(document) if document.format == crate::document::Format::Json => document.root,
        _ => Node::string(text, Origin::new(FileId(0), 0, 0)),
    }
}

fn argument(tool: &Tool, name: &str) -> Result<Argument, Failure> {
    let binding = tool.operation.binding.iter().find(|binding| &*binding.argument == name);
    let Some(binding) = binding else {
        let names: Vec<&str> = tool.operation.binding.iter().map(|binding| &*binding.argument).collect();
        let remedy = format!("Its arguments are {}.", names.join(", "));
        return Err(Failure::usage(format!("the tool has no argument `{name}`"), remedy));
    };
    let wire = binding.wire_name.as_deref().ok_or_else(|| {
        Failure::usage(format!("`{name}` is the whole body"), "Change the body's schema in the overlay by hand.")
    })?;
    Ok(Argument { location: binding.location.word().to_owned(), name: wire.to_owned() })
}

fn tell(name: &str, args: &OverlayAddArgs, file: &TextFile, preview: &Preview) {
    let Authored { done, remarks, .. } = &preview.authored;
    let would = if args.dry_run { "would be " } else { "" };
    if !file.exists() {
        say(&format!("{name}: {would}created"));
    }
    for done in done {
        let target = harmless(&done.target);
        match done.amended.is_empty() {
            true => say(&format!("{name}: action {} {would}added on {target}", done.index + 1)),
            false => {
                let keys = done.amended.join(", ");
                say(&format!("{name}: action {} on {target} {would}amended: {}", done.index + 1, harmless(&keys)));
            }
        }
    }
    let effect = lines(&preview.effect);
    for line in effect.iter().take(SHOWN) {
        say(&format!("  {line}"));
    }
    if effect.len() > SHOWN {
        say(&format!("  … and {} more", effect.len() - SHOWN));
    }
    if effect.is_empty() {
        say("  the tools stay as they are");
    }
    for remark in remarks {
        say(&format!("note: {}", harmless(remark)));
    }
}

fn refused(error: PreviewError) -> Failure {
    match error {
        PreviewError::Load(error) => error.into(),
        PreviewError::Author(AuthorError::Intent(error)) => Failure::usage(error.message, error.remedy),
        PreviewError::Author(AuthorError::Patch(error)) => Failure::usage(error.to_string(), error.remedy),
        PreviewError::Author(AuthorError::NoOverlay { name, finding }) => {
            let message = format!("`{name}` is no overlay: {}", finding.message);
            Failure::usage(message, finding.remedy.unwrap_or_else(|| "Mend it first.".to_owned()))
        }
    }
}

pub(super) fn unsaved(error: SaveError) -> Failure {
    let remedy = match &error {
        SaveError::Changed { .. } => "Run the command again: it starts from the file as it is now.",
        SaveError::BuiltIn { .. } => "Name a file.",
        SaveError::Encoding { .. } => "Convert the file, then run the command again.",
        SaveError::Io { .. } => "Check the file, its folder and their rights.",
    };
    Failure::usage(error.to_string(), remedy)
}
