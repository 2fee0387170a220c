//! TLS: a certificate authority of one's own, a client certificate, HTTP/2, and compressed bodies over it.

use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use http_body_util::Full;
use hyper::body::Bytes;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::RootCertStore;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use rustls::server::WebPkiClientVerifier;
use serde_json::json;
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use toolscope::proxy::FailureKind;

use crate::{call, engine, text};

/// `[{"id":7}]` by gzip.
const GZIP: &[u8] = &[
    0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0x8b, 0xae, 0x56, 0xca, 0x4c, 0x51, 0xb2, 0x32, 0xaf,
    0x8d, 0x05, 0x00, 0xd6, 0xd4, 0x68, 0x6c, 0x0a, 0x00, 0x00, 0x00,
];

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/tls").join(name)
}

fn certificate(name: &str) -> CertificateDer<'static> {
    CertificateDer::from_pem_file(file(name)).unwrap()
}

/// A server that speaks HTTP/2 only and wants a certificate.
async fn server() -> u16 {
    // Another test may have been first.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut roots = RootCertStore::empty();
    roots.add(certificate("ca.pem")).unwrap();
    let verifier = WebPkiClientVerifier::builder(Arc::new(roots)).build().unwrap();
    let key = PrivateKeyDer::from_pem_file(file("server.key")).unwrap();
    let mut config = rustls::ServerConfig::builder()
        .with_client_cert_verifier(verifier)
        .with_single_cert(vec![certificate("server.pem")], key)
        .unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let acceptor = acceptor.clone();
            tokio::spawn(async move {
                let Ok(stream) = acceptor.accept(stream).await else { return };
                let service = service_fn(|_: Request<hyper::body::Incoming>| async {
                    let response = Response::builder()
                        .header("content-type", "application/json")
                        .header("content-encoding", "gzip")
                        .body(Full::new(Bytes::from_static(GZIP)));
                    Ok::<_, Infallible>(response.unwrap())
                });
                let http = hyper::server::conn::http2::Builder::new(TokioExecutor::new());
                let _ = http.serve_connection(TokioIo::new(stream), service).await;
            });
        }
    });
    port
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_authority_and_a_client_certificate_of_ones_own() {
    let port = server().await;
    let base = format!("    base_url: https://127.0.0.1:{port}");
    let (ca, cert, key) = (file("ca.pem"), file("client.pem"), file("client.key"));
    let (ca, cert, key) = (ca.display(), cert.display(), key.display());
    let whole = format!("{base}\n    connection: {{ca_file: {ca}, client_certificate: {cert}, client_key: {key}}}");
    let reply = call(&engine(&whole), "list", json!({})).await;
    assert_eq!(reply.result["structuredContent"]["result"], json!([{"id": 7}]), "{}", text(&reply.result));
    assert_eq!(reply.exchange.unwrap().http[0].version, "HTTP/2.0");
    let cases = [
        (format!("{base}\n    connection: {{ca_file: {ca}}}"), ""),
        (format!("{base}\n    connection: {{client_certificate: {cert}, client_key: {key}}}"), "no secure connection"),
        (format!("{base}\n    connection: {{ca_file: {ca}, client_certificate: {ca}}}"), "no certificate with a key"),
        (format!("{base}\n    connection: {{ca_file: {key}}}"), "holds no certificates"),
    ];
    for (settings, part) in cases {
        let reply = call(&engine(&settings), "list", json!({})).await;
        assert_eq!(reply.failure, Some(FailureKind::Unreachable), "{settings}: {}", text(&reply.result));
        assert!(text(&reply.result).contains(part), "{settings}: {}", text(&reply.result));
    }
}
