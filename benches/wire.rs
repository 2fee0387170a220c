//! One call: encoding its arguments, checking them, decoding its response.
#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used)]

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, criterion_group, criterion_main};
use toolscope::derive::{Settings, Tool, UpstreamInput, catalog};
use toolscope::document::{DocumentSet, FileId, Node, SourceFile, Sources, parse};
use toolscope::naming::Profile;
use toolscope::wire::{Bounds, Filter, HttpResponse, Rules, Validator, decode, encode};

const DOCUMENT: &str = "
openapi: 3.1.0
info: {title: Shop, version: '1'}
paths:
  /shops/{shop}/orders/{id}:
    put:
      operationId: updateOrder
      parameters:
        - {name: shop, in: path, required: true, schema: {type: string}}
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: expand, in: query, schema: {type: array, items: {type: string}}}
        - {name: filter, in: query, style: deepObject, explode: true, schema: {type: object}}
        - {name: X-Trace, in: header, schema: {type: string}}
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              required: [status]
              properties:
                status: {type: string, enum: [open, paid, sent]}
                note: {type: string, maxLength: 200}
                lines: {type: array, items: {$ref: '#/components/schemas/Line'}}
      responses:
        '200':
          description: d
          content:
            application/json:
              schema: {type: object, properties: {id: {type: integer}, lines: {type: array, items: {$ref: '#/components/schemas/Line'}}}}
components:
  schemas:
    Line: {type: object, required: [sku], properties: {sku: {type: string}, count: {type: integer, minimum: 1}, price: {type: number}}}
";

const ARGUMENTS: &str = r#"{"shop":"north side","id":4711,"expand":["lines","customer"],"filter":{"state":"open","since":"2026-01-01"},
"X-Trace":"abc","status":"paid","note":"leave at the door","lines":[{"sku":"A-1","count":2,"price":9.90},{"sku":"B-2","count":1,"price":19.50}]}"#;

fn tool() -> Arc<Tool> {
    let mut sources = Sources::default();
    let file = sources.put(SourceFile::new("shop.yaml", DOCUMENT));
    let input = UpstreamInput {
        name: "shop".to_owned(),
        prefix: None,
        base_url: None,
        documents: Arc::new(DocumentSet::single(parse(file, "shop.yaml", DOCUMENT).unwrap())),
        touches: Vec::new(),
        findings: Vec::new(),
    };
    let settings = Settings::new(Profile::builtin("default").unwrap());
    let catalog = catalog(&[input], &settings, Arc::new(sources), None);
    catalog.tools.first().unwrap().clone()
}

fn json(text: &str) -> Node {
    parse(FileId(1), "value.json", text).unwrap().root
}

fn calls(criterion: &mut Criterion) {
    let tool = tool();
    let arguments = json(ARGUMENTS);
    assert!(encode(&tool, "https://api.example.com/v1", &arguments).is_ok());
    criterion.bench_function("encode", |bench| {
        bench.iter(|| encode(&tool, "https://api.example.com/v1", black_box(&arguments)));
    });
    let validator = Validator::new(&tool.operation.input_schema);
    assert!(validator.arguments(&tool, &arguments).is_empty());
    criterion.bench_function("validate", |bench| bench.iter(|| validator.arguments(&tool, black_box(&arguments))));
    criterion.bench_function("compile_schema", |bench| {
        bench.iter(|| Validator::new(black_box(&tool.operation.input_schema)));
    });
    let response = HttpResponse {
        status: 200,
        headers: vec![("content-type".to_owned(), "application/json; charset=utf-8".to_owned())],
        body: br#"{"id":4711,"lines":[{"sku":"A-1","count":2,"price":9.90},{"sku":"B-2","count":1,"price":19.50}]}"#
            .to_vec(),
        ..HttpResponse::default()
    };
    let output = tool.operation.output_schema.as_ref().map(|schema| Arc::new(Validator::new(schema)));
    let rules = Rules { output, ..Rules::default() };
    assert!(decode(&response, &tool, &rules).drift.is_none());
    criterion.bench_function("decode", |bench| bench.iter(|| decode(black_box(&response), &tool, &rules)));
}

fn transforms(criterion: &mut Criterion) {
    let row = |at: usize| format!(r#"{{"id":{at},"name":"row {at}","tags":["a","b"],"price":1.5}}"#);
    let large = json(&format!(r#"{{"items":[{}]}}"#, (0..10_000).map(row).collect::<Vec<_>>().join(",")));
    let bounds = Bounds::default();
    let request = "{path: {shop, id}, query: {expand}, body: {status, note, lines}}";
    criterion.bench_function("transform_compile", |bench| bench.iter(|| Filter::compile(black_box(request))));
    let (filter, arguments) = (Filter::compile(request).unwrap(), json(ARGUMENTS));
    criterion.bench_function("transform_request", |bench| bench.iter(|| filter.run(black_box(&arguments), &bounds)));
    let filter =
        Filter::compile("{rows: (.items | map({id, n: (.tags | length)})), sum: ([.items[].price] | add)}").unwrap();
    assert!(filter.run(&large, &bounds).is_ok());
    criterion.bench_function("transform_10k_rows", |bench| bench.iter(|| filter.run(black_box(&large), &bounds)));
}

criterion_group!(benches, calls, transforms);
criterion_main!(benches);
