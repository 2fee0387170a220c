//! Whatever happens in whatever order, the state stays whole.

use proptest::prelude::*;

use super::*;

/// What a person, the system or an effect can do.
fn happening() -> impl Strategy<Value = Happening> {
    let keys = prop_oneof![
        proptest::char::range(' ', '~').prop_map(KeyCode::Char),
        proptest::sample::select(vec![
            KeyCode::Enter,
            KeyCode::Esc,
            KeyCode::Tab,
            KeyCode::BackTab,
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Home,
            KeyCode::End,
            KeyCode::PageUp,
            KeyCode::PageDown,
            KeyCode::Backspace,
            KeyCode::Delete,
            KeyCode::Char('é'),
            KeyCode::Char('\u{301}'),
            KeyCode::Char('日'),
            KeyCode::F(1),
        ]),
    ];
    let modifiers = proptest::sample::select(vec![
        KeyModifiers::NONE,
        KeyModifiers::NONE,
        KeyModifiers::SHIFT,
        KeyModifiers::CONTROL,
    ]);
    let kinds = proptest::sample::select(vec![
        MouseEventKind::Down(MouseButton::Left),
        MouseEventKind::Drag(MouseButton::Left),
        MouseEventKind::Up(MouseButton::Left),
        MouseEventKind::ScrollDown,
        MouseEventKind::ScrollUp,
    ]);
    prop_oneof![
        8 => (keys, modifiers).prop_map(|(code, held)| Happening::Input(Input::Key(KeyEvent::new(code, held)))),
        2 => (kinds, 0u16..140, 0u16..50).prop_map(|(kind, x, y)| Happening::Input(mouse(kind, x, y))),
        1 => "\\PC{0,12}".prop_map(|text| Happening::Input(Input::Paste(text))),
        1 => (0u16..140, 0u16..50).prop_map(|(columns, rows)| Happening::Size(columns, rows)),
        1 => (0usize..30).prop_map(Happening::Loaded),
        1 => Just(Happening::Answered),
        2 => proptest::sample::select(vec!['1', '2', '4', '5', '7', 't', 'v', 's', 'z', 'c', 'p', 'P', 'a', 'w'])
            .prop_map(|key| Happening::Input(Input::Key(KeyEvent::new(KeyCode::Char(key), KeyModifiers::NONE)))),
        1 => Just(Happening::Failed),
        2 => (0usize..6, 0u64..6).prop_map(|(sort, number)| Happening::Told(sort, number)),
    ]
}

#[derive(Clone, Debug)]
enum Happening {
    Input(Input),
    Size(u16, u16),
    Loaded(usize),
    /// The targets answer what was asked last.
    Answered,
    Failed,
    /// The proxy tells something: of that sort, about the call of that number.
    Told(usize, u64),
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn nothing_that_happens_breaks_the_state(all in proptest::collection::vec(happening(), 1..60)) {
        let mut app = checked(shop());
        let mut asked = Vec::new();
        let (mut columns, mut rows) = (100, 30);
        for one in all {
            match one {
                Happening::Input(input) => asked.extend(app.input(input)),
                Happening::Answered => answer(&mut app, std::mem::take(&mut asked)),
                Happening::Size(x, y) => {
                    (columns, rows) = (x, y);
                    app.input(Input::Resize(x, y));
                }
                Happening::Loaded(count) => {
                    let snapshot = if count < 15 { many(count) } else { shop() };
                    app.message(Msg::FilesChanged);
                    asked.extend(app.message(Msg::Loaded(app.load.generation, Ok(snapshot))));
                }
                Happening::Told(sort, number) => {
                    let outcome = Outcome::none("getPet", Ending::Failed("\u{1b}[2J".to_owned()), Duration::ZERO);
                    let calls = record().into_iter().skip(usize::from(number % 2 == 0)).take(number as usize);
                    asked.extend(app.message(match sort {
                        0 => Msg::Ticked(number, Duration::from_secs(number)),
                        1 => Msg::Answered(number, Arc::new(outcome)),
                        2 => Msg::Recorded(calls.collect()),
                        3 => Msg::Served(Ok(Some(serving()))),
                        4 => Msg::Served(Ok(None)),
                        _ => Msg::Judged(number, Arc::default()),
                    }));
                }
                Happening::Failed => {
                    app.message(Msg::FilesChanged);
                    app.message(Msg::Loaded(app.load.generation, Err(failure())));
                }
            }
            let _control = app.control();
            screen(&mut app, columns, rows);
            let rows = app.list.rows().len();
            prop_assert!(app.list.cursor().is_none_or(|row| row < rows));
            prop_assert_eq!(app.list.selected().is_none(), app.list.shown() == 0, "a tool is selected whenever one is shown");
            prop_assert!(app.list.selected().is_none_or(|tool| tool < app.index.len()));
            prop_assert_eq!(app.findings.cursor().is_none(), app.findings.rows().is_empty());
            prop_assert_eq!(app.wire.cursor().is_none(), app.wire.rows().is_empty());
            prop_assert!(app.call.editor.row() < app.call.editor.lines().len());
            prop_assert!(app.table.cursor() <= app.table.tools().len());
            prop_assert!(app.table.tools().iter().all(|tool| *tool < app.index.len()));
            let memory = app.memory();
            prop_assert_eq!(Memory::from_json(&memory.to_json()), Ok(memory));
        }
    }
}
