//! A call on its way into the record.

use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

use serde_json::{Value as Json, json};

use super::engine::{Caller, Engine, Reply};
use super::job::Made;
use super::tap::{CALL, Exchange, mask, shorten};
use super::upstream::FailureKind;
use crate::wire::Redactor;

/// One that is dropped before its end was cancelled, and is recorded as such.
pub(super) struct Record<'a> {
    engine: &'a Engine,
    clock: Instant,
    exchange: Option<Exchange>,
}

impl<'a> Record<'a> {
    /// A call begins. What the redactor knows is masked at once, since the call may not come to its end.
    pub(super) fn begin(
        engine: &'a Engine,
        name: &str,
        arguments: &Json,
        redactor: &Redactor,
        caller: &Caller,
    ) -> Self {
        engine.enter();
        let mut request = json!({"name": name, "arguments": arguments});
        let size = request.to_string().len() as u64;
        mask(&mut request);
        shorten(&mut request);
        redact(&mut request, redactor);
        let exchange = Exchange {
            id: engine.tap().number(),
            started: SystemTime::now(),
            method: CALL,
            told: false,
            tool: name.to_owned(),
            caller: caller.name.clone(),
            request,
            result: Json::Null,
            sizes: (size, 0),
            http: Vec::new(),
            elapsed: Duration::ZERO,
            failure: Some(FailureKind::Cancelled),
            is_error: true,
            drift: None,
        };
        Self { engine, clock: Instant::now(), exchange: Some(exchange) }
    }

    /// The call has ended.
    pub(super) fn end(mut self, made: Made) -> Reply {
        let mut id = 0;
        if let Some(exchange) = &mut self.exchange {
            id = exchange.id;
            let mut result = serde_json::to_value(&made.result).unwrap_or_default();
            exchange.sizes.1 = result.to_string().len() as u64;
            mask(&mut result);
            shorten(&mut result);
            redact(&mut result, &made.redactor);
            redact(&mut exchange.request, &made.redactor);
            let concealed = self.engine.concealed();
            redact(&mut result, &concealed);
            redact(&mut exchange.request, &concealed);
            exchange.result = result;
            exchange.http = made.http;
            exchange.http.iter_mut().for_each(|hop| hop.mask(&concealed));
            exchange.failure = made.failure;
            exchange.is_error = made.result.is_error;
            exchange.drift = made.result.drift.clone().map(Arc::new);
        }
        Reply { result: made.result, failure: made.failure, exchange: id }
    }
}

impl Drop for Record<'_> {
    fn drop(&mut self) {
        if let Some(mut exchange) = self.exchange.take() {
            exchange.elapsed = self.clock.elapsed();
            self.engine.tap().record(exchange);
        }
        self.engine.leave();
    }
}

/// Masks the secrets in all texts of a value.
pub(super) fn redact(value: &mut Json, redactor: &Redactor) {
    match value {
        Json::String(text) => *text = redactor.text(text),
        Json::Array(items) => items.iter_mut().for_each(|item| redact(item, redactor)),
        Json::Object(map) => map.values_mut().for_each(|item| redact(item, redactor)),
        _ => {}
    }
}
