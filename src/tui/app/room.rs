//! How much room clients leave for the server's name, which they put before the name of every tool.

use crate::derive::Catalog;
use crate::lint::TargetChoice;

/// A client with a limit on names that hold the server's.
#[derive(Clone, Debug)]
pub struct Room {
    /// The target, by its number among those asked.
    pub target: usize,
    /// Its limit on the whole name.
    pub limit: usize,
    /// The client's words around the server's name count too.
    whole: bool,
    choice: TargetChoice,
    /// Characters of each exposed tool without the server's name, the longest first, with the tool's number.
    lengths: Vec<(usize, usize)>,
}

/// A server's name in a client.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fit {
    /// The server's name as the client writes it.
    pub server: String,
    /// Characters of the longest name.
    pub longest: usize,
    /// The limit.
    pub limit: usize,
    /// Number of the tool with the longest name.
    pub tool: Option<usize>,
    /// Names over the limit.
    pub over: usize,
    /// Characters that a server's name may have without one.
    pub room: usize,
}

/// The clients that put the server's name before a tool's and limit the result.
pub fn rooms(catalog: &Catalog, choices: &[TargetChoice]) -> Vec<Room> {
    let adding = choices.iter().enumerate().filter(|(_, choice)| choice.target.client().adds_server());
    adding.filter_map(|(at, choice)| room(catalog, at, choice)).collect()
}

fn room(catalog: &Catalog, target: usize, choice: &TargetChoice) -> Option<Room> {
    let limits = choice.target.rules().iter().filter(|rule| matches!(rule.kind(), "name_length" | "combined_length"));
    let rule = limits.min_by_key(|rule| rule.limit())?;
    let whole = rule.kind() == "name_length";
    let client = choice.target.client();
    let mut lengths: Vec<(usize, usize)> = catalog
        .tools
        .iter()
        .enumerate()
        .map(|(at, tool)| {
            let length =
                if whole { client.name(tool, Some("")).chars().count() } else { tool.named.name.chars().count() };
            (length, at)
        })
        .collect();
    lengths.sort_by_key(|(length, at)| (std::cmp::Reverse(*length), *at));
    Some(Room { target, limit: rule.limit()?, whole, choice: choice.clone(), lengths })
}

impl Room {
    /// How a server's name goes with the tools' names.
    pub fn fit(&self, server: &str) -> Fit {
        let client = self.choice.target.client();
        let server = client.server(server.trim());
        // A template may name the server more than once.
        let times = match &client.exposes {
            Some(template) if self.whole => template.matches("{server}").count(),
            _ => 1,
        };
        let added = server.chars().count() * times;
        let (longest, tool) = self.lengths.first().map_or((0, None), |(length, tool)| (*length, Some(*tool)));
        Fit {
            longest: longest + added,
            limit: self.limit,
            tool,
            over: self.lengths.partition_point(|(length, _)| length + added > self.limit),
            room: self.limit.saturating_sub(longest) / times.max(1),
            server,
        }
    }

    /// The exposed tools over the limit under a server's name, the longest first, each with its length.
    pub fn over(&self, server: &str) -> impl Iterator<Item = (usize, usize)> + '_ {
        let fit = self.fit(server);
        let added = fit.longest.saturating_sub(self.lengths.first().map_or(0, |(length, _)| *length));
        self.lengths.iter().take(fit.over).map(move |(length, tool)| (*tool, length + added))
    }
}
