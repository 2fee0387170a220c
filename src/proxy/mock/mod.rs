//! An API made from the document.
/// The mock.
#[derive(Debug)]
pub struct Mock;
pub(crate) fn prefix(_catalog: &crate::derive::Catalog, _at: usize) -> String { String::new() }
