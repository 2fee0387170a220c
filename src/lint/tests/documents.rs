//! The verdict of the crate `openapiv3`, with the place.

use super::*;

fn of(text: &str) -> Vec<(String, usize, String)> {
    let catalog = derived(text);
    let found = refusals(&catalog.upstreams[0].documents);
    found
        .into_iter()
        .map(|refusal| {
            let location = catalog.sources.locate(&refusal.place);
            (location.pointer, location.line, refusal.message)
        })
        .collect()
}

fn whole(version: &str, rest: &str) -> String {
    format!("openapi: {version}\ninfo: {{title: t, version: '1'}}\n{rest}\n")
}

#[test]
fn the_smallest_part_that_cannot_be_read_is_named() {
    let cases = [
        (whole("3.0.3", "paths: {}"), vec![]),
        (whole("3.1.0", "paths: {}"), vec![]),
        (whole("3.1.0", "components: {}"), vec![("", 1, "missing field `paths`")]),
        (
            "swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths: {}\n".to_owned(),
            vec![("", 1, "missing field `openapi`")],
        ),
        (
            whole(
                "3.0.3",
                "paths:\n  /a:\n    get:\n      responses: {}\n      parameters:\n        - name: a\n          in: nowhere",
            ),
            vec![("/paths/~1a/get/parameters/0/in", 9, "unknown variant `nowhere`")],
        ),
        (
            whole(
                "3.1.0",
                "paths: {}\ncomponents:\n  schemas:\n    A:\n      type: object\n      properties:\n        x: {type: string}\n        y:\n          description: d\n          type: [string, 'null']\n    B:\n      exclusiveMinimum: 3\n      type: number",
            ),
            vec![
                ("/components/schemas/A/properties/y/type", 12, "invalid type"),
                ("/components/schemas/B/exclusiveMinimum", 14, "invalid type"),
            ],
        ),
        (whole("3.0.3", "paths: {}\nsecurity: 5\ntags: []"), vec![("/security", 4, "invalid type")]),
        (whole("3.0.3", "paths: [1]\ntags: []"), vec![("/paths", 3, "")]),
        (whole("3.0.3", "paths: {}\ncomponents: {schemas: [1]}"), vec![("/components", 4, "")]),
        (whole("3.0.3", "paths: {}\ntags:\n  - description: no name"), vec![("/tags/0", 5, "missing field `name`")]),
    ];
    for (text, expected) in cases {
        let found = of(&text);
        assert_eq!(found.len(), expected.len(), "{text}\n{found:?}");
        for ((pointer, line, message), (expected, at, words)) in found.iter().zip(&expected) {
            assert_eq!((pointer.as_str(), line), (*expected, at), "{text}\n{message}");
            assert!(message.contains(words) && !message.contains(" at line "), "{message}");
        }
    }
}

#[test]
fn an_unreadable_document_costs_all_its_tools_and_a_later_version_is_a_remark() {
    let rule = "kind = \"reads_with_openapiv3\"";
    let good = derived(&document(&[("a", "responses: {}")]));
    let found = check(&good, &[target_of(rule)]);
    assert_eq!(found.len(), 1);
    assert!(found[0].message.contains("reads this 3.1.0 document as 3.0"), "{}", found[0].message);
    assert_eq!(verdicts(&good, &[choice("agentgateway")]).get(0, 0), Verdict::Ok);

    let bad = derived(&document(&[("a", "responses: {}"), ("b", "responses: 5")]));
    let matrix = verdicts(&bad, &[choice("agentgateway")]);
    assert_eq!(matrix.rows, [[Verdict::PoisonsAll, Verdict::PoisonsAll]]);
    assert_eq!(matrix.totals[0].usable, 0);
    let place = matrix.findings[0][0].place.as_ref().unwrap();
    assert_eq!((bad.sources.locate(place).line, place.pointer.as_ref()), (7, "/paths/~1p1/post/responses"));
}

#[test]
fn a_schema_node_is_found_again_in_the_document() {
    let text = document(&[(
        "a",
        "summary: s, requestBody: {content: {application/json: {schema: {type: object, properties: {v: {type: array, items: {type: array}}}}}}}, responses: {}",
    )]);
    let catalog = derived(&text);
    let found = check(&catalog, &[target_of("kind = \"array_items\"")]);
    let place = found[0].place.as_ref().unwrap();
    assert_eq!(
        place.pointer.as_ref(),
        "/paths/~1p0/post/requestBody/content/application~1json/schema/properties/v/items"
    );
}
