//! `targets` and `lint` of the workspace file.

use super::section::{Notes, Section, place};
use super::{LintSettings, TargetChoice};
use crate::document::{Finding, Node, Number};

/// `targets`: texts, or maps with `name` and `server_name`.
pub(super) fn targets(section: &Section<'_>, notes: &Notes<'_>) -> Vec<TargetChoice> {
    let pointer = section.at("targets");
    let read = |(at, node): (usize, &Node)| match node.as_str() {
        Some(text) => {
            Some(TargetChoice { place: Some(place(node.origin, &pointer.index(at))), ..TargetChoice::parse(text) })
        }
        None => {
            let item = Section::new(Some(node), pointer.index(at), notes);
            let name = item.text("name").map(str::to_owned);
            let server_name = item.text("server_name").map(str::to_owned);
            let place = item.place();
            if name.is_none() && item.is_present() {
                let mut finding = Finding::error("config-missing", format!("target {} has no name", at + 1))
                    .remedy("Give it a `name`; `toolscope targets` lists them.");
                finding.place.clone_from(&place);
                notes.push(finding);
            }
            item.finish();
            Some(TargetChoice { name: name?, server_name, place })
        }
    };
    section.list("targets").iter().enumerate().filter_map(read).collect()
}

/// `lint`.
pub(super) fn lint(section: Section<'_>, notes: &Notes<'_>) -> LintSettings {
    let mut settings = LintSettings::default();
    if let Some(node) = section.value("near_duplicates") {
        let share = node.as_number().map(Number::as_f64).filter(|share| *share > 0.0 && *share <= 1.0);
        let is_off = node.as_str() == Some("off") || node.as_bool() == Some(false);
        if share.is_none() && !is_off {
            let message = "`lint.near_duplicates` is neither a number above 0 and up to 1 nor `off`";
            let finding = Finding::error("config-value", message).remedy("Write a share such as 0.85, or `off`.");
            notes.push(finding.at(place(node.origin, &section.at("near_duplicates"))));
        } else {
            settings.near_duplicates = share;
        }
    }
    section.finish();
    settings
}
