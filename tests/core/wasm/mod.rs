//! The boundary as JavaScript sees it.
//!
//! The module trusts its caller to pass numbers in range. Its behaviour for other numbers is
//! therefore tested as it is shipped, without the overflow checks of test builds.

mod boundary;
#[cfg(not(debug_assertions))]
mod junk;
mod slots;
mod twins;
mod verbs;

use crate::subjects::{self, FormatUnderTest};

/// The subject with this name.
fn subject(name: &str) -> FormatUnderTest {
    subjects::all().into_iter().find(|subject| subject.name == name).unwrap_or_else(|| panic!("no subject {name}"))
}
