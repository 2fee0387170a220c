//! What actions and answers do on the screen of smoke runs.

use std::sync::Arc;

use super::page;
use super::state::{Place, PlanJob, Planned, SmokeJob, SmokeRun};
use crate::session::{CaseResult, Totals};
use crate::tui::app::actions::Action;
use crate::tui::app::call::Ask;
use crate::tui::app::message::Effect;
use crate::tui::app::model::{App, Layer};
use crate::tui::app::pane::{PageKey, Shown};
use crate::tui::app::screens::Screen;

impl App {
    pub(crate) fn hindrance_of_smoke(&self, action: Action) -> Option<&'static str> {
        use Action as A;
        match action {
            A::Sort => Some("cases are in the order of their suites"),
            A::ToggleAll => Some("nothing folds here"),
            A::Toggle if self.pane().line().is_none_or(|line| line.act.is_none()) => {
                Some("this line does not lead to a tool")
            }
            A::StopRun if self.smoke.run.is_none() => Some("nothing runs"),
            A::RunAll | A::RunCase | A::RunFailed | A::SmokePlace if self.smoke.run.is_some() => {
                Some("a run goes on; x stops it")
            }
            A::RunAll | A::RunFailed if self.smoke.rows().is_empty() => Some("there are no cases"),
            A::RunFailed if self.bad_cases() == 0 => Some("nothing has failed"),
            A::Open | A::Read | A::RunCase | A::Copy | A::CaseTool | A::Edit if self.smoke.selected().is_none() => {
                Some("no case is selected")
            }
            A::CaseTool if self.case_tool().is_none() => Some("there is no such tool"),
            A::CaseWire if self.case_exchange().is_none() => Some("the case made no call yet"),
            A::NextProblem | A::PreviousProblem if self.bad_cases() == 0 => Some("nothing has failed"),
            A::SmokePlace if self.smoke.planned.as_ref().is_none_or(|planned| planned.places.len() < 2) => {
                Some("there is no other place; environments stand in the workspace file")
            }
            _ => None,
        }
    }

    fn bad_cases(&self) -> usize {
        let Totals { fail, drift, .. } = self.smoke.totals();
        fail + drift
    }

    /// The selected case's tool, by its number in the index.
    fn case_tool(&self) -> Option<usize> {
        let tool = self.smoke.item(self.smoke.selected()?)?.tool.clone()?;
        // A reload may have made it anew.
        self.index.iter().position(|entry| {
            let (one, other) = (&entry.tool.operation, &tool.operation);
            entry.tool.upstream == tool.upstream && one.method == other.method && one.path == other.path
        })
    }

    /// The call of the selected case, by its number in the record.
    fn case_exchange(&self) -> Option<u64> {
        Some(self.smoke.result(self.smoke.selected()?)?.exchange.as_ref()?.id)
    }

    /// Asks for the cases where they are not known, or no longer.
    pub(crate) fn ask_for_cases(&mut self) -> Vec<Effect> {
        if self.snapshot.is_none() {
            return Vec::new();
        }
        self.smoke.generation += 1;
        self.smoke.planning = true;
        vec![Effect::PlanSmoke(PlanJob { generation: self.smoke.generation, place: self.smoke.place() })]
    }

    /// The screen is shown: the cases are needed.
    pub(crate) fn want_cases(&mut self) -> Vec<Effect> {
        let known = self.smoke.planned.is_some() || self.smoke.planning;
        if self.screen != Screen::Smoke || known { Vec::new() } else { self.ask_for_cases() }
    }

    /// Another catalog: what runs is about tools that were.
    pub(crate) fn cases_changed(&mut self) -> Vec<Effect> {
        let mut effects = self.stop_run();
        if let Some(run) = self.smoke.run.take() {
            effects = vec![Effect::StopSmoke(run.number)];
        }
        if self.smoke.planned.is_some() || self.screen == Screen::Smoke {
            effects.extend(self.ask_for_cases());
        }
        effects
    }

    pub(crate) fn cases_planned(&mut self, generation: u64, planned: Result<Arc<Planned>, String>) {
        if generation != self.smoke.generation {
            return;
        }
        match planned {
            Ok(planned) => {
                if let Some(fault) = &planned.fault {
                    self.complain(format!("a suite is left out: {fault}"));
                }
                self.smoke.plan(planned);
            }
            Err(why) => {
                self.smoke.planning = false;
                self.complain(format!("there are no cases: {why}"));
            }
        }
    }

    /// The next place in which cases can run.
    pub(crate) fn next_place(&mut self) -> Vec<Effect> {
        let Some(planned) = self.smoke.planned.clone() else { return Vec::new() };
        self.smoke.place = (self.smoke.place + 1) % planned.places.len().max(1);
        self.smoke.results.iter_mut().for_each(|result| *result = None);
        self.smoke.touched();
        let place = self.smoke.place();
        match &place {
            Place::Environment { production: true, .. } => {
                self.complain(format!("cases run in {}; nothing is written there", place.label()));
            }
            _ => self.say(format!("cases run on {}", place.label())),
        }
        self.ask_for_cases()
    }

    /// Runs all cases that are listed.
    pub(crate) fn run_all(&mut self) -> Vec<Effect> {
        let rows = self.smoke.rows().to_vec();
        self.run_cases(&rows)
    }

    pub(crate) fn run_case(&mut self) -> Vec<Effect> {
        let rows: Vec<usize> = self.smoke.selected().into_iter().collect();
        self.run_cases(&rows)
    }

    /// Runs again what failed or drifted, whether it is listed or not.
    pub(crate) fn run_failed(&mut self) -> Vec<Effect> {
        let bad = |at: &usize| self.smoke.result(*at).is_some_and(|result| result.verdict.is_bad());
        let rows: Vec<usize> = (0..self.smoke.results.len()).filter(bad).collect();
        self.run_cases(&rows)
    }

    fn run_cases(&mut self, at: &[usize]) -> Vec<Effect> {
        let mut chosen = vec![false; self.smoke.results.len()];
        for at in at {
            if let Some(chosen) = chosen.get_mut(*at) {
                *chosen = true;
            }
        }
        let Some(planned) = self.smoke.planned.clone() else { return Vec::new() };
        let (plan, places) = planned.plan.only(&chosen);
        if plan.writes() > 0 && !self.smoke.allowed && self.smoke.place() != Place::Mock {
            self.smoke.asked = Some(chosen);
            self.layers.push(Layer::Ask(Ask::SmokeWrites(plan.writes())));
            return Vec::new();
        }
        self.smoke.number += 1;
        let number = self.smoke.number;
        for at in &places {
            if let Some(result) = self.smoke.results.get_mut(*at) {
                *result = None;
            }
        }
        self.smoke.run = Some(SmokeRun { number, places, done: 0, stopping: false });
        self.smoke.touched();
        vec![Effect::RunSmoke(SmokeJob { number, plan: Arc::new(plan), place: self.smoke.place() })]
    }

    /// The person has said whether cases may change something.
    pub(crate) fn smoke_writes(&mut self, yes: bool) -> Vec<Effect> {
        let Some(chosen) = self.smoke.asked.take() else { return Vec::new() };
        if !yes {
            self.say("not run");
            return Vec::new();
        }
        self.smoke.allowed = true;
        let rows: Vec<usize> = (0..chosen.len()).filter(|at| chosen.get(*at).copied().unwrap_or(false)).collect();
        self.run_cases(&rows)
    }

    pub(crate) fn stop_run(&mut self) -> Vec<Effect> {
        let Some(run) = &mut self.smoke.run else { return Vec::new() };
        let number = run.number;
        if std::mem::replace(&mut run.stopping, true) {
            self.say("what was set up is not torn down either");
        }
        vec![Effect::StopSmoke(number)]
    }

    /// Cases of a run have begun or ended.
    pub(crate) fn smoke_went_on(&mut self, number: u64, news: Vec<(usize, Option<Arc<CaseResult>>)>) {
        let Some(run) = self.smoke.run.as_mut().filter(|run| run.number == number) else { return };
        for (at, result) in news {
            let Some(place) = run.places.get(at).copied() else { continue };
            run.done += usize::from(result.is_some());
            if let Some(running) = self.smoke.running.get_mut(place) {
                *running = result.is_none();
            }
            if let (Some(result), Some(slot)) = (result, self.smoke.results.get_mut(place)) {
                *slot = Some(result);
            }
        }
        self.smoke.touched();
        if self.smoke.filters_verdicts() {
            self.smoke.refilter();
        }
    }

    pub(crate) fn smoke_ended(&mut self, number: u64, result: Result<(), String>) {
        let Some(run) = self.smoke.run.take_if(|run| run.number == number) else { return };
        self.smoke.running.iter_mut().for_each(|running| *running = false);
        self.smoke.touched();
        if let Err(why) = result {
            return self.complain(format!("the run failed: {why}"));
        }
        let of_run = run.places.iter().filter_map(|at| self.smoke.result(*at));
        let Totals { pass, fail, drift, skipped, .. } = Totals::of(of_run.map(|result| &**result));
        let words = format!("{pass} passed, {fail} failed, {drift} drifted, {skipped} skipped");
        if fail + drift > 0 { self.complain(words) } else { self.say(words) }
    }

    /// Shows the call of the selected case on the screen of the record.
    pub(crate) fn show_exchange(&mut self) -> Vec<Effect> {
        let Some(id) = self.case_exchange() else { return Vec::new() };
        if !self.wire.select_call(id) {
            self.complain("the record no longer has this call; the detail here does");
            return Vec::new();
        }
        self.show_screen(Screen::Wire)
    }

    /// Opens the case where it stands; a generated one has its operation.
    pub(crate) fn edit_case(&mut self) {
        let at = self.smoke.selected().and_then(|at| self.smoke.item(at)).map(|item| item.case.at.clone());
        match at.as_deref().and_then(|at| at.rsplit_once(':')) {
            Some((file, line)) => self.open_editor(Some(file.to_owned()), line.parse().ok()),
            None => self.edit(),
        }
    }

    pub(crate) fn show_case_tool(&mut self) {
        if let Some(tool) = self.case_tool() {
            self.jump(tool);
        }
    }

    pub(crate) fn seek_bad_case(&mut self, forward: bool) {
        if !self.smoke.seek(forward) {
            self.say("no other case in the list has failed");
        }
    }

    /// Makes the page of the selected case.
    pub(crate) fn freshen_case(&mut self, width: usize) {
        let Some(at) = self.smoke.selected() else { return };
        let tool = self.case_tool();
        let key = PageKey { shown: Shown::Case(at, self.smoke.version), generation: self.shown_generation, checks: 0 };
        let Some(item) = self.smoke.item(at).cloned() else { return };
        let result = self.smoke.result(at).cloned();
        let runs = self.smoke.running.get(at).copied().unwrap_or(false);
        self.smoke.pane.prepare(key, width, || page::lines(&item, result.as_deref(), runs, tool));
    }
}
