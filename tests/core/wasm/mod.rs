//! The boundary as JavaScript sees it.

mod boundary;
mod junk;
mod slots;
mod twins;
mod verbs;

use crate::subjects::{self, Subject};

/// The subject of a name.
fn subject(name: &str) -> Subject {
    subjects::all().into_iter().find(|subject| subject.name == name).unwrap_or_else(|| panic!("no subject {name}"))
}
