//! The table of everything that a key, the palette or a click can do. Key map, footer, help and palette are made from it.

use super::screens::Screen;
use crate::tui::keymap::{ActionInfo, GLOBAL};

/// Where an action can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Context {
    /// Everywhere outside text fields.
    Global,
    /// While the list of a screen has the focus.
    List,
    /// While the detail has the focus.
    Detail,
    /// On the screen of tools.
    Tools,
    /// On the screen of findings.
    Findings,
    /// On the screen of overlays.
    Overlays,
    /// On the screen of calls.
    Call,
    /// On the screen of the record.
    Wire,
    /// On the screen of targets.
    Targets,
}

impl Context {
    /// All, in the order of the help.
    pub const ALL: [Self; 9] = [
        Self::List,
        Self::Detail,
        Self::Tools,
        Self::Findings,
        Self::Overlays,
        Self::Call,
        Self::Wire,
        Self::Targets,
        Self::Global,
    ];

    /// Its name in key files.
    pub fn id(self) -> &'static str {
        match self {
            Self::Global => GLOBAL,
            Self::List => "list",
            Self::Detail => "detail",
            Self::Tools => "tools",
            Self::Findings => "findings",
            Self::Overlays => "overlays",
            Self::Call => "call",
            Self::Wire => "wire",
            Self::Targets => "targets",
        }
    }

    /// Its title in the help.
    pub fn title(self) -> &'static str {
        match self {
            Self::Global => "Everywhere",
            Self::List => "In the list",
            Self::Detail => "In the detail",
            Self::Tools => "On the screen Tools",
            Self::Findings => "On the screen Findings",
            Self::Overlays => "On the screen Overlays",
            Self::Call => "On the screen Call",
            Self::Wire => "On the screen Wire",
            Self::Targets => "On the screen Targets",
        }
    }

    /// The context of a screen.
    pub fn of(screen: Screen) -> Self {
        match screen {
            Screen::Tools => Self::Tools,
            Screen::Findings => Self::Findings,
            Screen::Overlays => Self::Overlays,
            Screen::Call => Self::Call,
            Screen::Wire => Self::Wire,
            Screen::Targets => Self::Targets,
        }
    }
}

/// What can be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // the table says it
pub enum Action {
    Down,
    Up,
    PageDown,
    PageUp,
    First,
    Last,
    Open,
    Filter,
    Group,
    Sort,
    NextProblem,
    PreviousProblem,
    Toggle,
    ToggleAll,
    Exact,
    NextTab,
    PreviousTab,
    TabName,
    TabSchema,
    TabRequest,
    TabSource,
    TabFindings,
    TabCost,
    ScreenTools,
    ScreenFindings,
    ScreenOverlays,
    ScreenCall,
    ScreenWire,
    ScreenTargets,
    EditHere,
    FixAction,
    TakeOver,
    NewOverlay,
    NextPart,
    PreviousPart,
    Moment,
    NextAction,
    PreviousAction,
    Send,
    Look,
    Side,
    Fill,
    Cancel,
    Replay,
    SaveJsonl,
    SaveHar,
    Proxy,
    Clients,
    Unfold,
    Fold,
    Read,
    AllTargets,
    NextTarget,
    PreviousTarget,
    GoToTool,
    Server,
    Edit,
    EditFailure,
    Copy,
    Mark,
    ClearMarks,
    Change,
    Fix,
    Undo,
    Redo,
    Save,
    Reload,
    Mouse,
    Back,
    Palette,
    Help,
    Quit,
}

/// A row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Spec {
    /// What it does.
    pub action: Action,
    /// Its stable name, for key files.
    pub id: &'static str,
    /// A word or two, for footer and palette.
    pub title: &'static str,
    /// A sentence, for the help.
    pub help: &'static str,
    /// Where it can be done.
    pub context: Context,
    /// Shown in the footer.
    pub footer: bool,
}

const fn row(action: Action, id: &'static str, title: &'static str, help: &'static str, context: Context) -> Spec {
    Spec { action, id, title, help, context, footer: false }
}

const fn shown(spec: Spec) -> Spec {
    Spec { footer: true, ..spec }
}

use Action as A;
use Context::{Call, Detail, Findings, Global, List, Overlays, Targets, Tools, Wire};

/// All actions, in the order of footer and help.
pub const ACTIONS: &[Spec] = &[
    shown(row(
        A::Open,
        "open",
        "open",
        "Go to the detail; from a finding to its tool, or fold its kind; on Call type arguments.",
        List,
    )),
    shown(row(A::Toggle, "toggle", "fold", "Fold or unfold the node, or go to the tool that the line names.", Detail)),
    shown(row(A::Filter, "filter", "filter", "Type a filter for the list.", Global)),
    shown(row(
        A::Server,
        "server",
        "server name",
        "Type the server's name and see which tools' names get too long.",
        Targets,
    )),
    row(A::Group, "group", "group", "Group the list by upstream, tag or path, or not at all.", Tools),
    row(A::Sort, "sort", "sort", "The next order: of tools, of kinds of findings, of the table's rows.", Global),
    row(
        A::ToggleAll,
        "toggle-all",
        "fold all",
        "Fold or unfold the whole schema or all findings; in Request give all arguments or few.",
        Global,
    ),
    shown(row(
        A::Change,
        "change",
        "change…",
        "Rename, describe, hide, … the tool, the marked tools, or all that the filter shows; see the effect first.",
        Tools,
    )),
    row(A::ClearMarks, "clear-marks", "clear marks", "Take all marks away.", Tools),
    shown(row(A::NextTab, "next-tab", "next tab", "Open the next tab of the detail.", Tools)),
    row(A::PreviousTab, "previous-tab", "previous tab", "Open the tab before.", Tools),
    row(A::TabName, "tab-name", "name tab", "Why the tool has its name.", Tools),
    row(A::TabSchema, "tab-schema", "schema tab", "Arguments and result.", Tools),
    row(A::TabRequest, "tab-request", "request tab", "What a call would send, and where each argument is.", Tools),
    row(A::TabSource, "tab-source", "source tab", "The operation in its file, and what overlays changed.", Tools),
    row(
        A::TabFindings,
        "tab-findings",
        "findings tab",
        "What is wrong with the tool; on a finding there: propose what mends it.",
        Tools,
    ),
    row(A::TabCost, "tab-cost", "cost tab", "What the tool costs the model in tokens.", Tools),
    row(A::Exact, "exact", "exact JSON", "Show schemas as a tree or as the exact JSON.", Tools),
    shown(row(A::Read, "read", "detail", "Go to the detail of the finding.", Findings)),
    shown(row(
        A::Fix,
        "fix",
        "fix…",
        "Propose a change of an overlay that mends the finding; see the effect first.",
        Findings,
    )),
    row(A::Unfold, "unfold", "unfold", "Show the findings of the kind.", Findings),
    row(A::Fold, "fold", "fold", "Show the kind alone.", Findings),
    shown(row(
        A::AllTargets,
        "all-targets",
        "all targets",
        "Show what all targets say, or what the chosen ones say.",
        Findings,
    )),
    shown(row(
        A::EditHere,
        "edit-here",
        "edit here",
        "Edit the text of the overlay on the screen, at the selected action.",
        Overlays,
    )),
    row(
        A::FixAction,
        "fix-action",
        "fix…",
        "Propose what mends the finding of the line, or the worst of the action.",
        Overlays,
    ),
    shown(row(
        A::TakeOver,
        "take-over",
        "take over",
        "Take over what is proposed: the target that was probably meant, or what another program's extension says.",
        Overlays,
    )),
    row(
        A::NewOverlay,
        "new-overlay",
        "new overlay",
        "Begin an overlay from nothing, with the selected tool.",
        Overlays,
    ),
    shown(row(A::NextPart, "next-part", "next tab", "Matches, document, tools, source: the next tab.", Overlays)),
    row(A::PreviousPart, "previous-part", "tab before", "The tab before.", Overlays),
    shown(row(
        A::NextAction,
        "next-action",
        "step",
        "Step to the next action; the tab and the keys stay where they are.",
        Overlays,
    )),
    row(A::PreviousAction, "previous-action", "step back", "Step back to the action before.", Overlays),
    shown(row(
        A::Moment,
        "moment",
        "before/after",
        "Show what the action changes, the document before it, or after it.",
        Overlays,
    )),
    shown(row(A::Send, "send", "call", "Send the call through the proxy within the program.", Call)),
    shown(row(A::Cancel, "cancel", "cancel", "Give up the call that runs.", Call)),
    shown(row(A::Side, "side", "request/result", "Show what would be sent, or what came back.", Call)),
    row(A::Look, "look", "detail", "Go to the request or the result.", Call),
    shown(row(A::Fill, "fill", "fill", "Make up all arguments, or the required ones only.", Call)),
    shown(row(A::Replay, "replay", "again", "Take the call's arguments to the screen of calls.", Wire)),
    shown(row(A::SaveJsonl, "save-jsonl", "save JSONL", "Write all calls as JSON Lines, both hops of each.", Wire)),
    shown(row(A::SaveHar, "save-har", "save HAR", "Write the HTTP hops of all calls as an HAR archive.", Wire)),
    shown(row(A::NextTarget, "next-target", "next target", "Select the target at the right.", Targets)),
    row(A::PreviousTarget, "previous-target", "target before", "Select the target at the left.", Targets),
    shown(row(A::GoToTool, "go-to-tool", "tool", "Show the selected tool on the screen of tools.", Targets)),
    shown(row(
        A::NextProblem,
        "next-problem",
        "next problem",
        "Select the next tool with a problem, kind of finding, tool that the target minds, failed call.",
        Global,
    )),
    row(A::PreviousProblem, "previous-problem", "problem before", "Select the one before.", Global),
    row(A::ScreenTools, "screen-tools", "Tools", "The screen of tools.", Global),
    row(A::ScreenFindings, "screen-findings", "Findings", "The screen of conflicts and findings.", Global),
    row(A::ScreenOverlays, "screen-overlays", "Overlays", "The screen of overlays: their actions, one by one.", Global),
    row(A::ScreenCall, "screen-call", "Call", "The screen of calls, with the selected tool.", Global),
    row(A::ScreenWire, "screen-wire", "Wire", "The screen of the record: both hops of every call.", Global),
    row(A::ScreenTargets, "screen-targets", "Targets", "The screen of tools and targets.", Global),
    shown(row(
        A::Edit,
        "edit",
        "edit",
        "Open $EDITOR at the place of the selected line or tool; on Call with the arguments.",
        Global,
    )),
    row(A::EditFailure, "edit-failure", "edit the fault", "Open $EDITOR where the last load failed.", Global),
    shown(row(
        A::Copy,
        "copy",
        "copy",
        "Copy the name, the schema, the curl command or the result, whichever is shown; else the page.",
        Global,
    )),
    shown(row(A::Mark, "mark", "mark", "Mark the tool for a change of several, or take the mark away.", Tools)),
    row(A::Proxy, "proxy", "proxy", "Start or stop the proxy: the tools over HTTP, on this machine only.", Global),
    row(A::Clients, "clients", "clients", "Show what to write into clients of the proxy.", Global),
    row(A::Undo, "undo", "undo", "Take back the last change of an overlay, also one that is saved already.", Global),
    row(A::Redo, "redo", "redo", "Make the change once more that was taken back.", Global),
    shown(row(A::Save, "save", "save", "Write the overlays that have unsaved changes.", Global)),
    row(A::Reload, "reload", "reload", "Read all files again.", Global),
    row(A::Mouse, "mouse", "mouse", "Let the terminal have the mouse, to select text, or take it back.", Global),
    row(A::Down, "down", "down", "One down.", Global),
    row(A::Up, "up", "up", "One up.", Global),
    row(A::PageDown, "page-down", "page down", "A page down.", Global),
    row(A::PageUp, "page-up", "page up", "A page up.", Global),
    row(A::First, "first", "first", "To the first.", Global),
    row(A::Last, "last", "last", "To the last.", Global),
    shown(row(
        A::Back,
        "back",
        "back",
        "Close what is on top, leave the detail, clear the filter. Never quits.",
        Global,
    )),
    shown(row(A::Palette, "palette", "actions", "Find an action by its name.", Global)),
    shown(row(A::Help, "help", "help", "Show this help.", Global)),
    shown(row(A::Quit, "quit", "quit", "End the program.", Global)),
];

/// The action that shows a screen.
pub fn of_screen(screen: Screen) -> Action {
    match screen {
        Screen::Tools => Action::ScreenTools,
        Screen::Findings => Action::ScreenFindings,
        Screen::Overlays => Action::ScreenOverlays,
        Screen::Call => Action::ScreenCall,
        Screen::Wire => Action::ScreenWire,
        Screen::Targets => Action::ScreenTargets,
    }
}

/// The table in the words of the key map.
pub fn infos() -> Vec<ActionInfo> {
    let info = |spec: &Spec| ActionInfo { id: spec.id, title: spec.title, help: spec.help, context: spec.context.id() };
    ACTIONS.iter().map(info).collect()
}

/// The row of an action.
pub fn spec(action: Action) -> Option<&'static Spec> {
    ACTIONS.iter().find(|spec| spec.action == action)
}

/// The action of that name.
pub fn by_id(id: &str) -> Option<Action> {
    ACTIONS.iter().find(|spec| spec.id == id).map(|spec| spec.action)
}
