//! Properties: what holds for every layout, text and span of time, on generated input.
//!
//! A failure prints the smallest input found and the seed. `PROPTEST_RNG_SEED` repeats a run, `PROPTEST_CASES` sets how
//! many cases each property gets.

mod layouts;
mod ranges;
mod texts;
