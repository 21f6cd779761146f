//! Shared by the tests.

pub mod check;
pub mod made;
pub mod subjects;
