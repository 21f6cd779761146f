//! The boundary as JavaScript sees it.
//!
//! The module trusts its caller with the ranges of numbers. So what it does with others is tested as it is shipped: without the checks for
//! overflow that tests have.

mod boundary;
#[cfg(not(debug_assertions))]
mod junk;
mod slots;
mod twins;
mod verbs;

use crate::subjects::{self, Subject};

/// The subject of a name.
fn subject(name: &str) -> Subject {
    subjects::all().into_iter().find(|subject| subject.name == name).unwrap_or_else(|| panic!("no subject {name}"))
}
