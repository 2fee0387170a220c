//! MCP messages that are no calls, on their way into the record.

use std::time::{Duration, Instant, SystemTime};

use serde::Serialize;
use serde_json::{Value as Json, json};

use super::tap::{Exchange, Tap, mask, shorten};

/// A message that came from a client, or that one was told.
pub(super) struct Message {
    clock: Instant,
    exchange: Exchange,
}

impl Message {
    /// A client says something.
    pub(super) fn heard(tap: &Tap, method: &'static str, caller: String, params: &impl Serialize) -> Self {
        let (mut request, size) = recorded(params);
        // What the protocol adds to every message says who the client is, which is known.
        if let Some(map) = request.as_object_mut() {
            map.shift_remove("_meta");
        }
        let exchange = Exchange {
            id: tap.number(),
            started: SystemTime::now(),
            method,
            told: false,
            tool: String::new(),
            caller,
            request,
            result: Json::Null,
            sizes: (size, 0),
            http: Vec::new(),
            elapsed: Duration::ZERO,
            failure: None,
            is_error: false,
            drift: None,
        };
        Self { clock: Instant::now(), exchange }
    }

    /// A notification, which has no answer.
    pub(super) fn notified(tap: &Tap, method: &'static str, caller: String, params: &impl Serialize) {
        tap.record(Self::heard(tap, method, caller, params).exchange);
    }

    /// The proxy says something to a client.
    pub(super) fn told(tap: &Tap, method: &'static str, caller: String, params: &impl Serialize) {
        let mut message = Self::heard(tap, method, caller, params);
        message.exchange.told = true;
        tap.record(message.exchange);
    }

    /// Its answer has been made. Of a list of tools the names are kept: the schemas are those of the catalog.
    pub(super) fn answered<T: Serialize, E: std::fmt::Display>(mut self, tap: &Tap, answer: &Result<T, E>) {
        match answer {
            Ok(result) => {
                let (mut result, size) = recorded(result);
                if let Some(tools) = result.get_mut("tools").and_then(Json::as_array_mut) {
                    for tool in tools {
                        *tool = json!({"name": tool.get("name")});
                    }
                }
                (self.exchange.result, self.exchange.sizes.1) = (result, size);
            }
            Err(error) => {
                self.exchange.is_error = true;
                self.exchange.result = json!({"error": error.to_string()});
            }
        }
        self.exchange.elapsed = self.clock.elapsed();
        tap.record(self.exchange);
    }
}

fn recorded(value: &impl Serialize) -> (Json, u64) {
    let mut value = serde_json::to_value(value).unwrap_or_default();
    let size = if value.is_null() { 0 } else { value.to_string().len() as u64 };
    mask(&mut value);
    shorten(&mut value);
    (value, size)
}
