//! A server that says word for word what it is told to.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

#[derive(Clone, Debug)]
pub(crate) enum Step {
    /// Writes bytes.
    Say(Vec<u8>),
    /// Waits.
    Wait(Duration),
    /// Closes with the request unread in the kernel, which resets the connection.
    Reset,
}

pub(crate) struct Raw {
    pub(crate) port: u16,
    requests: Arc<AtomicUsize>,
    heads: Arc<std::sync::Mutex<Vec<String>>>,
}

impl Raw {
    /// `script` says for each request (its head and body as text) what to do.
    pub(crate) async fn start(script: impl Fn(&str) -> Vec<Step> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::new(AtomicUsize::new(0));
        let heads = Arc::new(std::sync::Mutex::new(Vec::new()));
        let (counter, log) = (requests.clone(), heads.clone());
        let script = Arc::new(script);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(answer(stream, script.clone(), counter.clone(), log.clone()));
            }
        });
        Self { port, requests, heads }
    }

    /// Says the same to every request.
    pub(crate) async fn saying(steps: Vec<Step>) -> Self {
        Self::start(move |_| steps.clone()).await
    }

    pub(crate) fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }

    pub(crate) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    pub(crate) fn base(&self) -> String {
        format!("    base_url: http://127.0.0.1:{}", self.port)
    }
}

async fn answer(
    mut stream: TcpStream,
    script: Arc<impl Fn(&str) -> Vec<Step>>,
    counter: Arc<AtomicUsize>,
    log: Arc<std::sync::Mutex<Vec<String>>>,
) {
    let mut got = Vec::new();
    // Peeking leaves the request where it is, for scripts that reset.
    let mut buffer = vec![0_u8; 1 << 16];
    let Ok(_) = stream.peek(&mut buffer).await else { return };
    if matches!(script("").first(), Some(Step::Reset)) {
        return;
    }
    loop {
        let Ok(count) = stream.read(&mut buffer).await else { return };
        if count == 0 {
            return;
        }
        got.extend_from_slice(&buffer[..count]);
        let text = String::from_utf8_lossy(&got).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length =
            head.lines().find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0_usize) {
            break;
        }
    }
    counter.fetch_add(1, Ordering::SeqCst);
    let text = String::from_utf8_lossy(&got).into_owned();
    log.lock().unwrap().push(text.clone());
    for step in script(&text) {
        match step {
            Step::Say(bytes) => {
                if stream.write_all(&bytes).await.is_err() {
                    return;
                }
            }
            Step::Wait(time) => tokio::time::sleep(time).await,
            Step::Reset => return,
        }
    }
    // An orderly end.
    let _ = stream.shutdown().await;
}

/// A whole response.
pub(crate) fn response(status: &str, headers: &[(&str, &str)], body: &[u8]) -> Vec<Step> {
    let mut text = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n", body.len());
    for (name, value) in headers {
        text.push_str(&format!("{name}: {value}\r\n"));
    }
    text.push_str("\r\n");
    let mut bytes = text.into_bytes();
    bytes.extend_from_slice(body);
    vec![Step::Say(bytes)]
}

pub(crate) fn json(body: &str) -> Vec<Step> {
    response("200 OK", &[("content-type", "application/json")], body.as_bytes())
}
