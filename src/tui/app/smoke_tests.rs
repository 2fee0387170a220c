//! What keys and answers do on the screen of smoke runs.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::sync::{Arc, LazyLock};

use super::fixture::{checked, shop};
use super::model::Layer;
use super::screens::Screen;
use super::smoke::{Place, Planned, SmokeJob};
use super::{App, Effect, Focus, Msg};
use crate::session::{CaseResult, Plan, Policy, Selection, Verdict, generate, testing};
use crate::tui::runtime::{Control, Program};
use crate::tui::view::record::record;
use crate::tui::view::tests::{press, screen};
use crate::workspace::Snapshot;

const SUITE: &str = "
name: pets
setup: [{name: log in, tool: listPets, capture: {token: $.token}}]
cases:
  - {name: a pet is there, tool: getPet, arguments: {petId: 7, key: env:PET_KEY}, expect: {status: 200, jsonpath: [{path: $.name, equals: Rex}]}}
  - {name: a pet is made, tool: createPet, write: true, arguments: {name: '${token}'}}
teardown: [{name: clean up, tool: listPets}]
";

static SHOP: LazyLock<Arc<Snapshot>> = LazyLock::new(shop);

/// The cases of the shop: a suite and the generated ones.
pub(crate) fn planned(places: Vec<Place>) -> Arc<Planned> {
    let shop = SHOP.clone();
    let suites = [testing::suite(SUITE).unwrap(), generate::suite(&shop.catalog, true)];
    let policy = Policy { mock: true, ..Policy::default() };
    let plan = Plan::new(&suites, &shop.catalog, &policy, &Selection::default());
    Arc::new(Planned { plan, places, fault: None })
}

fn places() -> Vec<Place> {
    let environment = |name: &str, production| Place::Environment { name: name.to_owned(), production };
    vec![Place::Workspace, Place::Mock, environment("staging", false), environment("live", true)]
}

/// The shop with its cases on the screen.
pub(crate) fn app() -> App {
    let mut app = checked(SHOP.clone());
    screen(&mut app, 120, 40);
    let effects = press(&mut app, "6");
    let [Effect::PlanSmoke(job)] = effects.as_slice() else { panic!("{effects:?}") };
    app.message(Msg::SmokePlanned(job.generation, Ok(planned(places()))));
    screen(&mut app, 120, 40);
    app
}

fn job(effects: &[Effect]) -> SmokeJob {
    match effects {
        [Effect::RunSmoke(job)] => job.clone(),
        other => panic!("{other:?}"),
    }
}

fn names(job: &SmokeJob) -> Vec<&str> {
    job.plan.items.iter().map(|item| item.case.name.as_str()).collect()
}

/// A result as a run would give it.
pub(crate) fn result(verdict: Verdict, why: &str) -> Arc<CaseResult> {
    Arc::new(CaseResult { verdict, ..CaseResult::failed(why) })
}

fn done(app: &mut App, number: u64, verdicts: &[Verdict]) {
    let news = verdicts.iter().enumerate().map(|(at, verdict)| (at, Some(result(*verdict, "why"))));
    app.message(Msg::SmokeWentOn(number, news.collect()));
    app.message(Msg::SmokeEnded(number, Ok(())));
}

#[test]
fn the_cases_are_asked_for_once_and_a_selected_one_brings_what_it_needs() {
    let mut app = app();
    assert!(press(&mut app, "1 6").is_empty(), "the cases are known");
    let running = job(&press(&mut app, "j c"));
    assert_eq!(names(&running), ["log in", "a pet is there", "clean up"]);
    assert!(press(&mut app, "a").is_empty(), "a run goes on");
    app.message(Msg::SmokeWentOn(running.number, vec![(0, Some(result(Verdict::Pass, ""))), (1, None)]));
    let run = app.smoke.run.clone().unwrap();
    assert_eq!((run.done, run.places), (1, vec![0, 1, 3]));
    assert!(app.smoke.running[1] && !app.smoke.running[0]);
    done(&mut app, running.number, &[Verdict::Pass, Verdict::Fail, Verdict::Pass]);
    assert!(app.smoke.run.is_none() && !app.smoke.running[1]);
    assert_eq!(app.note.as_ref().map(|note| note.text.as_str()), Some("2 passed, 1 failed, 0 drifted, 0 skipped"));
    // What failed is run again, whatever is selected.
    assert_eq!(names(&job(&press(&mut app, "g f"))), ["log in", "a pet is there", "clean up"]);
}

#[test]
fn writes_ask_once_and_a_mock_never() {
    let mut app = app();
    assert!(press(&mut app, "a").is_empty());
    assert!(matches!(app.layers.last(), Some(Layer::Ask(_))));
    assert!(press(&mut app, "n").is_empty() && app.smoke.run.is_none());
    let first = job(&press(&mut app, "a y"));
    assert_eq!(first.place, Place::Workspace);
    done(&mut app, first.number, &[]);
    let again = job(&press(&mut app, "a"));
    assert_eq!(again.plan.items.len(), app.smoke.results.len());
    let mut fresh = self::app();
    let effects = press(&mut fresh, "v");
    assert!(matches!(effects.as_slice(), [Effect::PlanSmoke(job)] if job.place == Place::Mock), "{effects:?}");
    assert_eq!(job(&press(&mut fresh, "a")).place, Place::Mock);
}

#[test]
fn a_run_is_stopped_and_asked_about_before_the_program_ends() {
    let mut app = app();
    let running = job(&press(&mut app, "c"));
    assert_eq!(press(&mut app, "x"), [Effect::StopSmoke(running.number)]);
    assert!(app.smoke.run.as_ref().unwrap().stopping);
    assert_eq!(press(&mut app, "x"), [Effect::StopSmoke(running.number)]);
    press(&mut app, "q");
    assert!(matches!(app.layers.last(), Some(Layer::Ask(_))) && app.control.is_none());
    press(&mut app, "y");
    assert_eq!(app.control, Some(Control::Quit));
}

#[test]
fn answers_of_other_runs_and_questions_are_dropped() {
    let mut app = app();
    let running = job(&press(&mut app, "c"));
    app.message(Msg::SmokeWentOn(running.number + 1, vec![(0, Some(result(Verdict::Fail, "")))]));
    app.message(Msg::SmokeEnded(running.number + 1, Ok(())));
    assert!(app.smoke.run.is_some() && app.smoke.results[0].is_none());
    app.message(Msg::SmokePlanned(app.smoke.generation + 1, Err("x".to_owned())));
    assert!(app.smoke.planned.is_some());
}

#[test]
fn a_reload_stops_the_run_and_keeps_what_is_known_of_the_same_tools() {
    let mut app = app();
    let running = job(&press(&mut app, "c"));
    done(&mut app, running.number, &[Verdict::Pass, Verdict::Pass]);
    let running = job(&press(&mut app, "G c"));
    assert_eq!(running.plan.items.len(), 1, "a generated case needs no other");
    press(&mut app, "r");
    let effects = app.message(Msg::Loaded(app.load.generation, Ok(SHOP.clone())));
    assert!(effects.contains(&Effect::StopSmoke(running.number)), "{effects:?}");
    let asked = effects.iter().find_map(|effect| match effect {
        Effect::PlanSmoke(job) => Some(job.generation),
        _ => None,
    });
    app.message(Msg::SmokePlanned(asked.unwrap(), Ok(planned(places()))));
    assert_eq!(app.smoke.results.iter().flatten().count(), 2);
    assert!(app.smoke.run.is_none());
}

#[test]
fn the_filter_knows_verdicts_and_the_list_follows_them() {
    let mut app = app();
    let all = app.smoke.rows().len();
    press(&mut app, "/ suite:pets Enter");
    assert_eq!(app.smoke.rows(), [0, 1, 2, 3]);
    let running = job(&press(&mut app, "a y"));
    done(&mut app, running.number, &[Verdict::Pass, Verdict::Fail, Verdict::Drift, Verdict::Skipped]);
    for (filter, expected) in
        [("fail", &[1][..]), ("!pass suite:pets", &[1, 2, 3]), ("drift", &[2]), ("setup", &[0]), ("zzz", &[])]
    {
        press(&mut app, "Esc /");
        app.smoke.filter.set(filter);
        app.smoke.refilter();
        assert_eq!(app.smoke.rows(), expected, "{filter}");
    }
    press(&mut app, "Esc Esc");
    assert_eq!(app.smoke.rows().len(), all);
    press(&mut app, "g n");
    assert_eq!(app.smoke.selected(), Some(1));
    press(&mut app, "n");
    assert_eq!(app.smoke.selected(), Some(2));
    press(&mut app, "N");
    assert_eq!(app.smoke.selected(), Some(1));
}

#[test]
fn the_editor_opens_a_case_where_it_stands() {
    let mut app = app();
    app.watched.push("/api/a.suite.yaml".into());
    press(&mut app, "j e");
    let edit = Control::Edit { file: "/api/a.suite.yaml".into(), line: Some(5) };
    assert_eq!(app.control.take(), Some(edit));
    // A generated case has its operation.
    press(&mut app, "G e");
    let Some(Control::Edit { file, .. }) = app.control.take() else { panic!("{:?}", app.note) };
    assert!(file.ends_with("shop.yaml"), "{}", file.display());
}

#[test]
fn a_case_leads_to_its_tool_and_to_its_call() {
    let mut app = app();
    app.message(Msg::Recorded(record()));
    assert_eq!(app.hindrance(super::actions::Action::CaseWire), Some("the case made no call yet"));
    let running = job(&press(&mut app, "j c"));
    let call = record()[0].clone();
    let found = CaseResult { exchange: Some(call.clone()), ..CaseResult::failed("x") };
    app.message(Msg::SmokeWentOn(running.number, vec![(1, Some(Arc::new(found)))]));
    app.message(Msg::SmokeEnded(running.number, Ok(())));
    press(&mut app, "w");
    assert_eq!(app.screen(), Screen::Wire);
    assert_eq!(app.wire.selected().and_then(|row| app.wire.call(row)).map(|it| it.id), Some(call.id));
    press(&mut app, "6 t");
    assert_eq!((app.screen(), app.selected().unwrap().tool.named.name.as_str()), (Screen::Tools, "getPet"));
    press(&mut app, "6 Enter");
    assert_eq!(app.focus(), Focus::Detail);
    screen(&mut app, 120, 40);
    assert!(app.smoke.pane.text().contains("env:PET_KEY"), "references stay as they are written");
}
