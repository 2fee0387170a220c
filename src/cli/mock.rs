//! `mock`: an API on a port, made from the documents.

use super::args::MockArgs;
use super::failure::{Failure, exit};
use super::output::{harmless, say};
use super::{load, signals};
use crate::proxy::Mock;
use crate::proxy::mock::{Faults, MockOptions, Seen};
use crate::wire::Redactor;

/// Answers until it is told to stop.
pub(super) fn run(args: &MockArgs) -> Result<u8, Failure> {
    let (_, snapshot) = load(&args.common)?;
    let documents = snapshot.catalog.upstreams.iter().map(|upstream| &upstream.documents.main.root);
    // A log is read by others than whoever calls.
    let known = documents.fold(Redactor::default(), Redactor::with_schemes);
    let faults = Faults::new(args.fault.clone(), args.delay.unwrap_or_default());
    let options = MockOptions { faults, lenient: args.lenient };
    signals::runtime()?.block_on(async {
        // Before anybody is told that it runs: who is told may end it at once.
        let stop = signals::stop();
        let mock =
            Mock::start(&snapshot.catalog, args.http, options, move |seen| say(&line(seen, &known))).await.map_err(
                |error| Failure::usage(error.to_string(), "Give another address with --http; port 0 takes a free one."),
            )?;
        say(&format!("The mock answers {} operations at {}", mock.operations(), mock.url()));
        if let [_, _, ..] = snapshot.catalog.upstreams.as_slice() {
            for (at, upstream) in snapshot.catalog.upstreams.iter().enumerate() {
                say(&format!(
                    "  {}: {}{}",
                    upstream.name,
                    mock.url(),
                    crate::proxy::mock::prefix(&snapshot.catalog, at)
                ));
            }
        }
        stop.cancelled().await;
        Ok(exit::OK)
    })
}

fn line(seen: &Seen, known: &Redactor) -> String {
    let status = seen.status.map_or("fault".to_owned(), |status| status.to_string());
    let mut text = format!("{status} {} {}", seen.method, harmless(&known.url(&seen.target)));
    for problem in &seen.problems {
        text.push_str(&format!("\n    {}", harmless(problem)));
    }
    text
}
