//! Tokens and look-alikes.

use super::super::{similar, tokens};
use super::*;

#[test]
fn tokens_are_those_of_the_vocabulary() {
    // Known of o200k_base.
    let cases = [("", 0), ("hello world", 2), ("tiktoken is great!", 6)];
    for (text, expected) in cases {
        assert_eq!(tokens::Counter::default().count(text), expected, "{text}");
    }
}

#[test]
fn a_text_counted_in_parts_has_as_many_tokens_as_in_one() {
    let texts = [
        r##"{"type":"object","properties":{"a_b":{"type":"string","description":"It's the user's \"id\", v1/v2.\n\nSee http://x.y/z?a=b&c=d."}},"$defs":{"X":{"anyOf":[{"type":"null"},{"$ref":"#/$defs/Y"}]}}}"##,
        "don''t 'Re-do' x''s ..a  ..b\n\n--c \"\"Ünï öö``` rust!!1 $$$9",
        r#"{"enum":["a-b","c","1","2"],"x":"[[[日本語]]]text//b","e":"''re","f":"''ve"}"#,
    ];
    for text in texts {
        assert_eq!(
            tokens::Counter::default().count(text),
            tiktoken_rs::o200k_base_singleton().count_ordinary(text),
            "{text}"
        );
    }
}

#[test]
fn a_run_without_a_break_does_not_take_for_ever() {
    let run = "xy".repeat(200_000);
    let count = tokens::Counter::default().count(&run);
    // A vocabulary's word of the letters x and y has a few of them at the most.
    assert!((40_000..400_000).contains(&count), "{count}");
    let words = "lorem ipsum ".repeat(2_000);
    assert_eq!(tokens::Counter::default().count(&words), tiktoken_rs::o200k_base_singleton().count_ordinary(&words));
}

#[test]
fn totals_add_up_by_upstream_and_tag() {
    let catalog = derived(&document(&[
        ("list_pets", "summary: List pets, tags: [pets], responses: {}"),
        ("list_owners", "summary: List owners, tags: [owners, pets], responses: {}"),
        ("ping", "responses: {}"),
    ]));
    let counts = tokens::count_all(&catalog);
    assert_eq!(counts, catalog.tools.iter().map(|tool| tokens::count(tool)).collect::<Vec<_>>());
    assert!(counts.iter().all(|c| c.name > 0 && c.schema > 0 && c.total == c.name + c.description + c.schema));
    let totals = tokens::totals(&catalog, &counts);
    assert_eq!(totals.total, counts.iter().map(|count| count.total).sum::<usize>());
    assert_eq!(totals.upstreams, [("api".to_owned(), totals.total)]);
    assert_eq!(
        totals.tags,
        [("pets".to_owned(), counts[0].total + counts[1].total), ("owners".to_owned(), counts[1].total)]
    );
    let choices = [choice("openai-chat"), choice("claude-code:my-server")];
    let mut matrix = verdicts(&catalog, &choices);
    matrix.count_tokens(&catalog, &choices, &counts);
    assert_eq!(matrix.totals[0].tokens, Some(totals.total));
    assert!(matrix.totals[1].tokens > Some(totals.total + 6), "{:?}", matrix.totals[1].tokens);
}

#[test]
fn shared_definitions_save_what_they_would_cost_written_out() {
    let body = |schema: &str| {
        format!(
            "requestBody: {{content: {{application/json: {{schema: {{type: object, properties: {{a: {schema}, b: {schema}, c: {schema}}}}}}}}}}}, responses: {{}}"
        )
    };
    let shared = body("{$ref: '#/components/schemas/Big'}");
    let big = "components: {schemas: {Big: {type: object, properties: {name: {type: string, description: A rather long description of what the name is good for}, left: {$ref: '#/components/schemas/Big'}}}}}";
    let text = format!(
        "openapi: 3.1.0\ninfo: {{title: t, version: '1'}}\npaths:\n  /a:\n    post: {{operationId: shared, {shared}}}\n  /b:\n    post: {{operationId: plain, {}}}\n{big}\n",
        body("{type: string}")
    );
    let catalog = derived(&text);
    let saved = tokens::saved_by_defs(&catalog);
    assert_eq!(saved.len(), 2);
    assert!(saved[0] > 50, "{saved:?}");
    assert_eq!(saved[1], 0);
}

/// An operationId and a summary.
type Described = (&'static str, &'static str);

/// Tools, and the pairs of them that are told.
type Case = (&'static [Described], &'static [(usize, usize)]);

fn alike(operations: &[(&str, &str)], threshold: f64) -> Vec<(usize, usize)> {
    let operations: Vec<(&str, String)> =
        operations.iter().map(|(id, text)| (*id, format!("summary: {text}, responses: {{}}"))).collect();
    let operations: Vec<(&str, &str)> = operations.iter().map(|(id, rest)| (*id, rest.as_str())).collect();
    similar::pairs(&derived(&document(&operations)), threshold).iter().map(|p| (p.first, p.second)).collect()
}

#[test]
fn look_alikes_are_told_and_opposites_are_not() {
    let others = [
        ("ping", "Check whether the service answers"),
        ("list_invoices", "List invoices of an account"),
        ("get_report", "Get the monthly report"),
        ("upload_photo", "Upload a photo of an animal"),
    ];
    let cases: &[Case] = &[
        (&[("get_user", "Get a user"), ("get_users", "Get users")], &[(0, 1)]),
        (&[("getUserById", "Get a user by id"), ("get_user_by_id", "Get user by ID")], &[(0, 1)]),
        (&[("get_user", "Get a user"), ("delete_user", "Delete a user")], &[]),
        (&[("read_pod_v1", "Read the pod"), ("read_pod_v2", "Read the pod")], &[]),
        (&[("search_orders", "Search orders of a customer"), ("create_plan", "Create a plan")], &[]),
    ];
    for (pair, expected) in cases {
        let all: Vec<(&str, &str)> = pair.iter().chain(&others).copied().collect();
        assert_eq!(alike(&all, similar::DEFAULT_THRESHOLD), *expected, "{pair:?}");
    }
}

#[test]
fn each_tool_is_told_with_the_one_most_like_it() {
    let same = [("a_user", "The user"), ("user_a", "The user"), ("user_A", "A user"), ("other", "Something else")];
    assert_eq!(alike(&same, 0.9), [(0, 1), (0, 2)]);
    assert_eq!(alike(&same[3..], 0.1), []);
    assert_eq!(alike(&[], 0.5), []);
    let catalog = derived(&document(&[
        ("get_user", "summary: Get a user, responses: {}"),
        ("getUsers", "summary: Get users, responses: {}"),
    ]));
    let found = similar::near_duplicates(&catalog, 0.5);
    assert_eq!((found.len(), found[0].code), (1, "near-duplicate"));
    assert!(found[0].message.contains("(POST /p1)") && found[0].message.contains("(POST /p0)"), "{}", found[0].message);
    assert_eq!(catalog.sources.locate(found[0].place.as_ref().unwrap()).line, 7);
}
