//! Schemas of the document become JSON Schema 2020-12 that stands on its own.
//!
//! In: schema objects of Swagger 2.0, OpenAPI 3.0, 3.1 and 3.2, with references. Out: schemas whose only references lead
//! to the `$defs` of their own root. A schema that a tool uses once is written where it is used; one that is used more
//! often, or within itself, goes to `$defs`, which hold nothing else.

mod by_keyword;
mod discriminator;
mod graph;
mod keywords;
mod object;
mod translate;
mod values;

pub(crate) use graph::{Direction, Graph};
pub(crate) use object::{Members, members};
pub(crate) use translate::Translation;
