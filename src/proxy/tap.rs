//! The record of what goes over the wire: both hops of every call, and the other MCP messages, with times and sizes, secrets
//! masked when they are recorded.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};

use serde_json::Value as Json;
use tokio::sync::watch;

use super::upstream::FailureKind;
use crate::document::{MASK, is_secret_member};
use crate::wire::{HttpRequest, HttpResponse, Redactor};

/// The method of calls.
pub(crate) const CALL: &str = "tools/call";
/// Messages kept.
const MOST_MESSAGES: usize = 1000;
/// Bytes kept over all messages.
const MOST_BYTES: usize = 32 << 20;
/// Bytes kept of one body.
const MOST_OF_BODY: usize = 64 << 10;
/// A body for the record: its first bytes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Captured {
    /// Media type as declared.
    pub media_type: String,
    /// The first bytes, secrets masked.
    pub bytes: Vec<u8>,
    /// How many there were.
    pub size: u64,
}

impl Captured {
    /// Records a body.
    pub fn of(bytes: &[u8], media_type: &str, redactor: &Redactor) -> Self {
        let size = bytes.len() as u64;
        let start = bytes.get(..bytes.len().min(MOST_OF_BODY)).unwrap_or_default();
        // Only what holds a secret is written anew; everything else is kept as it came.
        let masked = match media_type.contains("json") && bytes.len() <= MOST_OF_BODY {
            true => serde_json::from_slice::<Json>(bytes).ok().and_then(|mut value| mask(&mut value).then_some(value)),
            false => None,
        };
        let kept = match masked {
            Some(value) => redactor.text(&value.to_string()).into_bytes(),
            _ => match std::str::from_utf8(start) {
                Ok(text) => redactor.text(text).into_bytes(),
                Err(error) if error.error_len().is_none() => {
                    // The cut went through a character.
                    let whole = start.get(..error.valid_up_to()).unwrap_or_default();
                    redactor.text(&String::from_utf8_lossy(whole)).into_bytes()
                }
                Err(_) => start.to_vec(),
            },
        };
        let bytes = if media_type.contains("form-urlencoded") { mask_form(&kept) } else { kept };
        Self { media_type: media_type.to_owned(), bytes, size }
    }

    /// Not all of it was kept.
    pub fn is_cut(&self) -> bool {
        self.size > MOST_OF_BODY as u64
    }
}

fn mask_form(bytes: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(bytes);
    let pairs = text.split('&').map(|pair| match pair.split_once('=') {
        Some((name, _)) if is_secret_member(name) => format!("{name}={MASK}"),
        _ => pair.to_owned(),
    });
    pairs.collect::<Vec<_>>().join("&").into_bytes()
}

/// Masks the members that hold secrets; says whether there were any.
pub(crate) fn mask(value: &mut Json) -> bool {
    // serde_json reads no deeper than 128 levels.
    match value {
        Json::Object(map) => {
            let mut any = false;
            for (name, value) in map {
                if is_secret_member(name) && matches!(value, Json::String(_) | Json::Number(_)) {
                    *value = Json::String(MASK.to_owned());
                    any = true;
                } else {
                    any |= mask(value);
                }
            }
            any
        }
        Json::Array(items) => items.iter_mut().fold(false, |any, item| mask(item) | any),
        _ => false,
    }
}

/// One HTTP exchange with the API.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HttpHop {
    /// Method.
    pub method: String,
    /// URL.
    pub url: String,
    /// Headers as sent.
    pub request_headers: Vec<(String, String)>,
    /// Body as sent.
    pub request_body: Captured,
    /// Status, when there was one.
    pub status: Option<u16>,
    /// `HTTP/1.1` or `HTTP/2.0`.
    pub version: String,
    /// Headers as received.
    pub response_headers: Vec<(String, String)>,
    /// Body as received, decompressed.
    pub response_body: Captured,
    /// Until the status came.
    pub waited: Duration,
    /// Until the body had ended.
    pub elapsed: Duration,
    /// Why it broke.
    pub error: Option<String>,
}

impl HttpHop {
    /// The record of a request whose secrets are masked already.
    pub fn new(shown: &HttpRequest) -> Self {
        let body = shown.body.as_ref();
        let body = body.map(|body| Captured::of(&body.bytes, &body.media_type, &Redactor::default()));
        Self {
            method: shown.method.to_string(),
            url: shown.url.clone(),
            request_headers: shown.headers.clone(),
            request_body: body.unwrap_or_default(),
            ..Self::default()
        }
    }

    /// Masks what is known as a secret only after the hop was recorded.
    pub(crate) fn mask(&mut self, redactor: &Redactor) {
        if redactor.knows_none() {
            return;
        }
        self.url = redactor.text(&self.url);
        for (_, value) in self.request_headers.iter_mut().chain(&mut self.response_headers) {
            *value = redactor.text(value);
        }
        for body in [&mut self.request_body, &mut self.response_body] {
            if let Ok(text) = std::str::from_utf8(&body.bytes) {
                body.bytes = redactor.text(text).into_bytes();
            }
        }
        self.error = self.error.as_ref().map(|error| redactor.text(error));
    }

    pub(crate) fn response(&mut self, response: &HttpResponse, redactor: &Redactor) {
        let shown = |(name, value): &(String, String)| (name.clone(), redactor.header(name, value).into_owned());
        self.response_headers = response.headers.iter().map(shown).collect();
        let media_type = response.header("content-type").unwrap_or_default();
        self.response_body = Captured::of(&response.body, media_type, redactor);
    }
}

/// One MCP message with its answer. A call (`tools/call`) has the HTTP hops that it made as well.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Number, from 1.
    pub id: u64,
    /// When it began.
    pub started: SystemTime,
    /// The method: `tools/call`, `initialize`, `server/discover`, `tools/list`, `subscriptions/listen`, or a notification.
    pub method: &'static str,
    /// The proxy said it to the client, and not the client to the proxy.
    pub told: bool,
    /// The tool of a call; empty for other messages.
    pub tool: String,
    /// The client: its name and how it came (`memory`, `http`, `stdio`).
    pub caller: String,
    /// `params`; null where there are none.
    pub request: Json,
    /// `result`; large texts are cut, and of `tools/list` the names are kept. Null for a notification.
    pub result: Json,
    /// Bytes of `params` and `result` as JSON.
    pub sizes: (u64, u64),
    /// The HTTP exchanges, in order.
    pub http: Vec<HttpHop>,
    /// Until the answer was there.
    pub elapsed: Duration,
    /// How it failed.
    pub failure: Option<FailureKind>,
    /// The result is an error.
    pub is_error: bool,
    /// How the body differs from what the document promises.
    pub drift: Option<Arc<crate::wire::Drift>>,
}

impl Exchange {
    /// It is a call.
    pub fn is_call(&self) -> bool {
        self.method == CALL
    }

    /// It is a notification, which has no answer.
    pub fn is_notification(&self) -> bool {
        self.method.starts_with("notifications/")
    }

    /// What a person calls it: the tool of a call, else the method, of a notification without the word.
    pub fn title(&self) -> &str {
        match self.method.strip_prefix("notifications/") {
            _ if self.is_call() => &self.tool,
            Some(what) => what,
            None => self.method,
        }
    }

    fn weight(&self) -> usize {
        let hop = |hop: &HttpHop| hop.request_body.bytes.len() + hop.response_body.bytes.len() + 1024;
        self.http.iter().map(hop).sum::<usize>() + text_len(&self.request) + text_len(&self.result) + 512
    }

    /// The last HTTP exchange: the one whose response was used.
    pub fn last_hop(&self) -> Option<&HttpHop> {
        self.http.last()
    }
}

fn text_len(value: &Json) -> usize {
    match value {
        Json::String(text) => text.len(),
        Json::Array(items) => items.iter().map(text_len).sum::<usize>() + 8,
        Json::Object(map) => map.iter().map(|(name, value)| name.len() + text_len(value)).sum::<usize>() + 8,
        _ => 8,
    }
}

/// Cuts the long texts of a value, so that the record of a call is bounded.
pub(crate) fn shorten(value: &mut Json) {
    match value {
        Json::String(text) if text.len() > MOST_OF_BODY => {
            let mut end = MOST_OF_BODY;
            while !text.is_char_boundary(end) {
                end -= 1;
            }
            let size = text.len();
            text.truncate(end);
            text.push_str(&format!("… ({size} bytes in all)"));
        }
        Json::Array(items) => items.iter_mut().for_each(shorten),
        Json::Object(map) => map.values_mut().for_each(shorten),
        _ => {}
    }
}

#[derive(Debug, Default)]
struct Ring {
    calls: VecDeque<Arc<Exchange>>,
    bytes: usize,
    last: u64,
}

/// What went over the wire of a proxy, the newest kept when there is too much.
#[derive(Debug)]
pub struct Tap {
    ring: Mutex<Ring>,
    news: watch::Sender<u64>,
}

impl Default for Tap {
    fn default() -> Self {
        Self { ring: Mutex::default(), news: watch::Sender::new(0) }
    }
}

impl Tap {
    fn ring(&self) -> MutexGuard<'_, Ring> {
        // Nothing is left half done in it.
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number for a message that begins.
    pub(crate) fn number(&self) -> u64 {
        let mut ring = self.ring();
        ring.last += 1;
        ring.last
    }

    /// Records a message; the oldest go when there is no room.
    pub(crate) fn record(&self, exchange: Exchange) {
        let id = exchange.id;
        {
            let mut ring = self.ring();
            ring.bytes += exchange.weight();
            ring.calls.push_back(Arc::new(exchange));
            while ring.calls.len() > MOST_MESSAGES || (ring.bytes > MOST_BYTES && ring.calls.len() > 1) {
                let Some(oldest) = ring.calls.pop_front() else { break };
                ring.bytes = ring.bytes.saturating_sub(oldest.weight());
            }
        }
        self.news.send_replace(id);
    }

    /// All that is kept, in the order in which it ended.
    pub fn messages(&self) -> Vec<Arc<Exchange>> {
        self.ring().calls.iter().cloned().collect()
    }

    /// The calls among it.
    pub fn calls(&self) -> Vec<Arc<Exchange>> {
        self.ring().calls.iter().filter(|message| message.is_call()).cloned().collect()
    }

    /// A message by its number.
    pub fn get(&self, id: u64) -> Option<Arc<Exchange>> {
        self.ring().calls.iter().rev().find(|call| call.id == id).cloned()
    }

    /// Changes whenever something was recorded.
    pub fn news(&self) -> watch::Receiver<u64> {
        self.news.subscribe()
    }

    /// Forgets everything.
    pub fn clear(&self) {
        let mut ring = self.ring();
        ring.calls.clear();
        ring.bytes = 0;
    }
}
