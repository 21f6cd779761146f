//! What the tests share.

pub mod check;
pub mod made;
pub mod subjects;
