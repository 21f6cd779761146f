//! Properties: what holds for every layout, text, span of time and clock story, on generated input.
//!
//! A failure prints the smallest input found and the seed. `PROPTEST_RNG_SEED` repeats a run, `PROPTEST_CASES` sets how
//! many cases each property gets.

#[path = "support/check.rs"]
mod check;
#[path = "properties/layouts.rs"]
mod layouts;
#[path = "support/made.rs"]
mod made;
#[path = "properties/ranges.rs"]
mod ranges;
#[path = "properties/stories.rs"]
mod stories;
#[path = "support/subjects.rs"]
mod subjects;
#[path = "properties/texts.rs"]
mod texts;
#[path = "properties/walk.rs"]
mod walk;
