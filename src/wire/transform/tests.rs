//! Expressions: what they give, what is refused, and what stops them.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use crate::document::{FileId, Node, parse, to_json};

use super::{Bounds, Filter};

fn json(text: &str) -> Node {
    parse(FileId(0), "value.json", text).unwrap_or_else(|error| panic!("{error}: {text}")).root
}

fn run(expression: &str, input: &str) -> Result<String, String> {
    run_within(expression, input, &Bounds::default())
}

fn run_within(expression: &str, input: &str, bounds: &Bounds) -> Result<String, String> {
    let filter = Filter::compile(expression).map_err(|error| format!("compile: {error}"))?;
    let outputs = filter.run(&json(input), bounds).map_err(|error| format!("{}: {}", error.rule, error.message))?;
    Ok(outputs.iter().map(|output| to_json(output, false)).collect::<Vec<_>>().join(" "))
}

#[test]
fn filters_can_be_shared_between_threads() {
    fn shared<T: Send + Sync>() {}
    shared::<Filter>();
}

#[test]
fn what_expressions_give() {
    let cases = [
        (".", r#"{"b":1.10,"a":[18446744073709551615,1e400,-0]}"#, r#"{"b":1.10,"a":[18446744073709551615,1e400,-0]}"#),
        (".a.b", r#"{"a":{"b":1}}"#, "1"),
        (".[]", "[1,2]", "1 2"),
        (".[] as [$a, {b: $c}] | $a + $c", r#"[[1,{"b":2}]]"#, "3"),
        ("empty", "1", ""),
        ("6 / 2", "null", "3"),
        ("1 / 2", "null", "0.5"),
        ("nan, infinite, -infinite", "null", "null 1.7976931348623157e+308 -1.7976931348623157e+308"),
        ("[1,2] + [3]", "null", "[1,2,3]"),
        ("{a: 1} + {b: 2} | keys", "null", r#"["a","b"]"#),
        ("(1,2) + (10,20)", "null", "11 21 12 22"),
        (r#""x" * 3"#, "null", r#""xxx""#),
        (r#""a\(. + 1)b""#, "1", r#""a2b""#),
        (r#"@uri "q=\(.)""#, r#""a b""#, r#""q=a%20b""#),
        (r#"@base64, (@base64 | @base64d)"#, r#""hi""#, r#""aGk=" "hi""#),
        (r#".a += 2 | .a *= 3"#, r#"{"a":1}"#, r#"{"a":9}"#),
        (".[1:] |= map(. + 1)", "[1,2,3]", "[1,3,4]"),
        ("map(select(. > 1)) | add", "[1,2,3]", "5"),
        ("to_entries | map({(.key): .value}) | add", r#"{"a":1,"b":2}"#, r#"{"a":1,"b":2}"#),
        ("with_entries(.value += 1)", r#"{"a":1}"#, r#"{"a":2}"#),
        ("del(.a)", r#"{"a":1,"b":2}"#, r#"{"b":2}"#),
        ("[paths]", r#"{"a":[1]}"#, r#"[["a"],["a",0]]"#),
        (r#"[path(.a | select(.b) | .b)]"#, r#"{"a":{"b":1}}"#, r#"[["a","b"]]"#),
        (r#"setpath(["a","b"]; 1)"#, r#"{"a":{}}"#, r#"{"a":{"b":1}}"#),
        (r#"walk(if type == "number" then . + 1 else . end)"#, "[1,[2]]", "[2,[3]]"),
        ("reduce .[] as $x (0; . + $x)", "[1,2,3]", "6"),
        ("[foreach .[] as $x (0; . + $x)]", "[1,2,3]", "[1,3,6]"),
        ("[limit(3; repeat(1))]", "null", "[1,1,1]"),
        ("first(range(10; 0; -3))", "null", "10"),
        ("[range(0; 10; 4)]", "null", "[0,4,8]"),
        ("[.[] | tostring], (. | tojson)", "[1,\"a\",null]", r#"["1","a","null"] "[1,\"a\",null]""#),
        ("fromjson", r#""[1,{\"a\":2}]""#, r#"[1,{"a":2}]"#),
        ("try fromjson catch \"bad\"", r#""[1""#, r#""bad""#),
        (r#"try error("x") catch ."#, "1", r#""x""#),
        (r#"[.[] | test("^a")], (.[0] | sub("a"; "b"))"#, r#"["ab","c"]"#, r#"[true,false] "bb""#),
        (r#"[match("(?<x>.)b").captures[].name]"#, r#""ab""#, r#"["x"]"#),
        (r#"split(","), ascii_upcase, length"#, r#""a,b""#, r#"["a","b"] "A,B" 3"#),
        ("def f: if . > 100 then . else . * 2 | f end; f", "1", "128"),
        ("def f($n; g): if $n == 0 then . else g | f($n - 1; g) end; f(3; . + 1)", "0", "3"),
        ("label $out | .[] | if . == 2 then ., break $out else . end", "[1,2,3]", "1 2"),
        (
            "group_by(.k) | map({k: .[0].k, n: length})",
            r#"[{"k":1},{"k":2},{"k":1}]"#,
            r#"[{"k":1,"n":2},{"k":2,"n":1}]"#,
        ),
        (". as {a: $x} | {$x, y: 1, \"z\": 2, (\"w\" + \"v\"): 3}", r#"{"a":5}"#, r#"{"x":5,"y":1,"z":2,"wv":3}"#),
        ("{a, \"b\"}", r#"{"a":1,"b":2,"c":3}"#, r#"{"a":1,"b":2}"#),
        (".. |= (numbers |= . + 1)", "[1]", "[2]"),
        (".a // \"none\", (.b | not)", "{}", r#""none" true"#),
        ("todate, (todate | fromdate)", "0", r#""1970-01-01T00:00:00Z" 0"#),
        ("# a comment\n.a # another", r#"{"a":1}"#, "1"),
        ("def now: 7; now", "null", "7"),
    ];
    for (expression, input, expected) in cases {
        assert_eq!(run(expression, input).as_deref(), Ok(expected), "{expression}");
    }
}

#[test]
fn what_is_no_expression() {
    let cases = [
        ("", 0, "empty", "`.`"),
        ("  ", 0, "empty", "`.`"),
        (".a | (.b", 5, "`(` is never closed", "close"),
        ("{a: [1}", 4, "`[` is never closed", "close"),
        (".a \u{a7}", 3, "nothing that jq knows", "remove"),
        ("\"abc", 0, "`\"` is never closed", "close"),
        (".a | | .b", 5, "expected term, found `|`", "mend"),
        (".a |", 4, "expected term, found the end", "mend"),
        ("if . then 1", 11, "expected else or end, found the end", "mend"),
        ("{a: 1; b: 2}", 5, "expected comma or right brace, found `;`", "mend"),
        (".items | mpa(.x)", 9, "no filter `mpa/1`", "`map` is close"),
        ("map", 0, "no filter `map/0`", "another number of arguments"),
        ("1 + $x", 4, "no variable `$x`", "bind"),
        ("import \"a\" as a; .", 7, "expected", "modules"),
        ("a::b", 0, "no module `a`", "modules"),
        ("env.HOME", 0, "`env` is not available in a transform", "input only"),
        ("[.a, now]", 5, "`now` is not available", "input only"),
        ("$ENV.PATH", 0, "`$ENV` is not available", "input only"),
        ("debug", 0, "`debug` is not available", "input only"),
        ("halt_error", 0, "`halt_error` is not available", "input only"),
        ("[inputs]", 1, "`inputs` is not available", "input only"),
        ("\"\\(input)\"", 3, "`input` is not available", "input only"),
        ("def f: stderr; .", 7, "`stderr` is not available", "input only"),
        ("$__prog_args", 0, "no variable", "bind"),
    ];
    for (expression, offset, message, remedy) in cases {
        let error = Filter::compile(expression).expect_err(expression);
        assert!(error.message.contains(message), "{expression}: {error}");
        assert!(error.remedy.contains(remedy), "{expression}: {error}");
        assert_eq!(error.offset, offset, "{expression}: {error}");
    }
    let error = Filter::compile(".a\n| ünknown(1)").unwrap_err();
    assert_eq!(error.line_column(".a\n| ünknown(1)"), (2, 3));
}

/// The definitions of the library go through natives that an expression can reach under a name of its own only.
#[test]
fn natives_behind_the_library_have_no_effects_either() {
    let natives = super::library::natives();
    for effect in ["env", "now", "halt", "debug_empty", "stderr_empty", "localtime", "strflocaltime"] {
        let named = natives.iter().filter(|(name, ..)| *name == effect).count();
        assert_eq!(named, 1, "{effect}");
    }
    for (expression, native) in [("debug_empty", "debug_empty"), ("stderr_empty", "stderr_empty")] {
        let error = run(expression, "1").expect_err(native);
        assert!(error.contains("not available in a transform"), "{native}: {error}");
    }
}

#[test]
fn runs_are_bounded() {
    let deep = format!("{}1{}", "[".repeat(120), "]".repeat(120));
    let deeper = format!("{}1{}", "[".repeat(200), "]".repeat(200));
    let text_of_lists = format!("\"{}\"", "[".repeat(100_000));
    let cases: &[(&str, &str, &str)] = &[
        ("repeat(.)", "1", "bounds: it gives more than"),
        ("range(1e9)", "1", "bounds: it gives more than"),
        ("[range(1e9)] | length", "1", "steps"),
        ("[repeat(.)] | length", "1", "steps"),
        ("last(range(1e9))", "1", "steps"),
        ("def f: f; f", "1", "steps"),
        ("def f: 1 + f; f", "1", "calls itself too deep"),
        ("def f: [f]; f", "1", "calls itself too deep"),
        ("def f: f, 1; f", "1", "steps"),
        ("try repeat(empty) catch 1", "1", "steps"),
        ("first(repeat(1 | select(false)) ?)", "1", "steps"),
        ("until(false; .)", "1", "steps"),
        ("[.[] as $a | .[] as $b | .[] as $c | .[] as $d | 1] | length", "LONG", "steps"),
        (r#""x" * 1e9 | length"#, "1", "cannot calculate"),
        (r#""x" * 1000000000 | length"#, "1", "MiB"),
        (r#"1000000000 * "x" | length"#, "1", "MiB"),
        (r#"[limit(10; repeat("x" * 100000000))] | length"#, "1", "MiB"),
        (r#"reduce range(60) as $i ("x"; . + .) | length"#, "1", "MiB"),
        (r#"reduce range(60) as $i ("x"; "\(.)\(.)") | length"#, "1", "MiB"),
        ("reduce range(60) as $i ([1]; . + .) | length", "1", "MiB"),
        (r#"{a: "x"} | .a *= 1000000000 | .a | length"#, "1", "MiB"),
        (r#"reduce range(60) as $i ({a: "x"}; .a += .a) | .a | length"#, "1", "MiB"),
        ("reduce range(100) as $i (3; . * .)", "1", "number that is too large"),
        ("reduce range(100) as $i (1; [., .]) | tojson | length", "1", "parts"),
        (r#"reduce range(100) as $i (1; [., .]) | "\(.)" | length"#, "1", "parts"),
        ("reduce range(100) as $i (1; [., .])", "1", "more values"),
        ("reduce range(100) as $i (1; [., .]) | error", "1", "jq: [[["),
        ("reduce range(100000) as $i (1; [.]) | 1", "1", "nested deeper"),
        ("reduce range(100000) as $i (1; {a: .}) | 1", "1", "nested deeper"),
        ("reduce range(150) as $i (1; [.])", "1", "nested"),
        ("fromjson", &text_of_lists, "nested deeper"),
        (".", &deeper, "input: the input is nested deeper"),
        ("tobytes", "[1,255]", "output: it gives bytes"),
        ("{(1): 2}", "1", "name that is no text"),
        (".a", "[1]", "jq: cannot index"),
        ("error", "\"why\"", "jq: \"why\""),
    ];
    let long = format!("[{}]", vec!["1"; 300].join(","));
    for (expression, input, expected) in cases {
        let input = if *input == "LONG" { long.as_str() } else { input };
        match run_within(expression, input, &Bounds { steps: 200_000, ..Bounds::default() }) {
            Err(error) => assert!(error.contains(expected), "{expression}: {error}"),
            Ok(given) => panic!("{expression} gives {}", &given[..given.len().min(80)]),
        }
    }
    assert_eq!(run(".", &deep).as_deref(), Ok(deep.as_str()));
    assert_eq!(run("[..] | length", &deep).as_deref(), Ok("121"));
    assert_eq!(run("walk(.) | tojson | fromjson", &deep).as_deref(), Ok(deep.as_str()));
    let small = Bounds { outputs: 2, bytes: 5, values: 4, ..Bounds::default() };
    assert_eq!(run_within("1, 2", "1", &small).as_deref(), Ok("1 2"));
    assert!(run_within("1, 2, 3", "1", &small).unwrap_err().contains("more than 2 outputs"));
    assert!(run_within("\"123456\"", "1", &small).unwrap_err().contains("more text"));
    assert!(run_within("[1,2,3,4]", "1", &small).unwrap_err().contains("more values"));
}

/// The guards must not turn what is linear into what is not.
#[test]
fn growing_a_list_or_a_text_step_by_step_stays_within_the_bounds() {
    let cases = [
        ("reduce range(50000) as $i ([]; . + [$i]) | length", "50000"),
        ("reduce range(50000) as $i (\"\"; . + \"ab\") | length", "100000"),
        ("[range(50000) | {a: ., b: [.]}] | map(.a) | add", "1249975000"),
        ("reduce range(20000) as $i ({}; .[\"k\\($i)\"] = $i) | length", "20000"),
    ];
    for (expression, expected) in cases {
        assert_eq!(run(expression, "null").as_deref(), Ok(expected), "{expression}");
    }
}

/// Expressions that are as deep as they may be are read, run and dropped within an ordinary stack.
#[test]
fn deep_expressions_end_well() {
    let mut refused = 0;
    for levels in [10, 40, 63, 100, 115, 125, 500, 1000, 5000, 30_000] {
        let expressions = [
            format!(".{}", " | .".repeat(levels)),
            format!("1{}", " + 1".repeat(levels)),
            format!("1{}", ", 1".repeat(levels)),
            format!("[1{}]", ", 1".repeat(levels)),
            format!("{}1", "- ".repeat(levels)),
            format!("{}.", "1 as $x | ".repeat(levels)),
            format!("{}.", "try ".repeat(levels)),
            format!("{}.", "def f: 1; ".repeat(levels)),
            format!("{}1{}", "(".repeat(levels), ")".repeat(levels)),
            format!("{}1{}", "if . then ".repeat(levels), " end".repeat(levels)),
            format!("{{{}}}", (0..levels).map(|at| format!("k{at}: 1")).collect::<Vec<_>>().join(", ")),
            format!("\"{}\"", "\\(.)".repeat(levels)),
            format!(".{}", "[0]?".repeat(levels)),
            format!(". as {}$x{} | 1", "[".repeat(levels), "]".repeat(levels)),
            format!("1{}", " // 1".repeat(levels)),
            format!("1{}", " and 1".repeat(levels)),
        ];
        for expression in expressions {
            match run(&expression, "null") {
                Err(error) if error.starts_with("compile") => {
                    refused += 1;
                    assert!(error.contains("too deep") || error.contains("bytes"), "{levels}: {error}");
                }
                _ => {}
            }
        }
    }
    assert!(refused > 10, "{refused}");
}
