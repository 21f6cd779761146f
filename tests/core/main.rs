//! The tests of the core. `tests/js` tests the boundary to JavaScript, in the module as it is shipped.

mod engine;
mod properties;
mod support;

use support::{check, made, subjects};
