//! From a name to an address, and from an address to a connection.

use std::net::SocketAddr;

use tokio::net::{TcpStream, lookup_host};
use tokio::time::timeout;
use url::{Host, Url};

use super::{Patient, Step, StepName};
use crate::proxy::{ProxyChoice, is_loopback, units};

/// As many addresses are named.
const SHOWN: usize = 3;
/// Variables by which a system names its proxy.
const PROXY_VARIABLES: [&str; 6] = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"];

/// Whom a connection is made to.
enum Way {
    Direct(String, u16),
    Proxy(String, u16),
    /// The client finds its way by the system's settings.
    System(&'static str),
}

fn way(patient: &Patient<'_>, address: &Url) -> Way {
    let target = |url: &Url| {
        let host = match url.host() {
            Some(Host::Ipv6(host)) => host.to_string(),
            Some(host) => host.to_string(),
            None => String::new(),
        };
        (host, url.port_or_known_default().unwrap_or(443))
    };
    let direct = || {
        let (host, port) = target(address);
        Way::Direct(host, port)
    };
    match &patient.client.settings().proxy {
        ProxyChoice::Direct => direct(),
        ProxyChoice::Url(url) => match Url::parse(url) {
            Ok(url) => {
                let (host, port) = target(&url);
                Way::Proxy(host, port)
            }
            Err(_) => direct(),
        },
        ProxyChoice::System if is_loopback(address.as_str()) => direct(),
        ProxyChoice::System => {
            let set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
            PROXY_VARIABLES.into_iter().find(set).map_or_else(direct, Way::System)
        }
    }
}

/// Is the connection made to the API itself, and not to a proxy?
pub(super) fn is_direct(patient: &Patient<'_>, address: &Url) -> bool {
    matches!(way(patient, address), Way::Direct(..))
}

async fn addresses(host: &str, port: u16) -> std::io::Result<Vec<SocketAddr>> {
    Ok(lookup_host((host, port)).await?.collect())
}

pub(super) async fn resolve(patient: &Patient<'_>, address: &Url) -> Step {
    let name = StepName::Resolve;
    let (host, port, whose) = match way(patient, address) {
        Way::Direct(host, port) => (host, port, ""),
        Way::Proxy(host, port) => (host, port, "the proxy "),
        Way::System(variable) => {
            return Step::skipped(name, format!("{variable} is set: the way may lead through a proxy"));
        }
    };
    let failed = |why: String| {
        let seen = format!("{whose}{host} has no address: {why}");
        Step::failed(name, seen, "Check the name in the base URL, and that this machine can look names up.")
    };
    match timeout(patient.limit, addresses(&host, port)).await {
        Err(_) => failed(format!("no answer within {}", units::shown(patient.limit))),
        Ok(Err(error)) => failed(error.to_string()),
        Ok(Ok(found)) if found.is_empty() => failed("there is none".to_owned()),
        Ok(Ok(found)) => {
            let mut shown: Vec<String> = found.iter().take(SHOWN).map(|address| address.ip().to_string()).collect();
            if found.len() > SHOWN {
                shown.push(format!("{} more", found.len() - SHOWN));
            }
            Step::ok(name, format!("{whose}{host} is {}", shown.join(", ")))
        }
    }
}

pub(super) async fn connect(patient: &Patient<'_>, address: &Url) -> Step {
    let name = StepName::Connect;
    let (host, port) = match way(patient, address) {
        Way::Direct(host, port) | Way::Proxy(host, port) => (host, port),
        Way::System(_) => return Step::skipped(name, "left to the client, which knows the proxy"),
    };
    let limit = patient.client.settings().connect_timeout.min(patient.limit);
    let mut last = format!("{host}:{port} has no address");
    for address in addresses(&host, port).await.unwrap_or_default() {
        match timeout(limit, TcpStream::connect(address)).await {
            Ok(Ok(_)) => return Step::ok(name, format!("{address} takes connections")),
            Ok(Err(error)) => last = format!("{address}: {error}"),
            Err(_) => last = format!("{address} gave no answer within {}", units::shown(limit)),
        }
    }
    let remedy = "Check the port in the base URL, that the API runs, and that no firewall is between.";
    Step::failed(name, last, remedy)
}
