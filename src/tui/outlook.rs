//! Where the calls of the screen go: to the API, to one of the workspace's environments, or to a mock.

use super::app::model::Destination;
use crate::workspace::Workspace;

/// What was asked for at the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outlook {
    /// An environment of the workspace, by name.
    pub environment: Option<String>,
    /// A mock of the API within the program.
    pub mock: bool,
}

impl Outlook {
    /// Calls go to a mock. The demo has no API but that.
    pub(super) fn is_mocked(&self, workspace: &Workspace) -> bool {
        let demo = workspace.is_demo && workspace.options.base_url.is_none() && self.environment.is_none();
        self.mock || demo
    }

    /// As the screen shows it.
    pub(super) fn destination(&self, workspace: &Workspace) -> Destination {
        let known = |name: &String| workspace.environments.iter().find(|environment| environment.name == *name);
        match &self.environment {
            _ if self.is_mocked(workspace) => Destination::Mock,
            Some(name) => {
                let production = known(name).is_some_and(|environment| environment.production);
                Destination::Environment { name: name.clone(), production }
            }
            None => Destination::Api,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use std::path::Path;

    use super::*;
    use crate::workspace::Options;

    #[test]
    fn calls_go_where_it_was_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("a.yaml"), "openapi: 3.1.0\n").unwrap();
        let file = "upstreams: [{name: a, openapi: {source: a.yaml}}]\n\
                    environments: [{name: test}, {name: live, production: true}]\n";
        std::fs::write(folder.path().join("toolscope.yaml"), file).unwrap();
        let workspace = Workspace::resolve(&Options::default(), folder.path()).unwrap();
        let demo = Workspace::resolve(&Options { demo: true, ..Options::default() }, Path::new(".")).unwrap();
        let environment = |name: &str, production| Destination::Environment { name: name.to_owned(), production };
        let cases = [
            (None, false, &workspace, Destination::Api),
            (None, true, &workspace, Destination::Mock),
            (Some("test"), false, &workspace, environment("test", false)),
            (Some("live"), false, &workspace, environment("live", true)),
            (None, false, &demo, Destination::Mock),
        ];
        for (name, mock, workspace, expected) in cases {
            let outlook = Outlook { environment: name.map(str::to_owned), mock };
            assert_eq!(outlook.destination(workspace), expected, "{outlook:?}");
        }
    }
}
