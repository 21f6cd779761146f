//! Properties of every layout, text and span of time, on generated input.
//!
//! A failure prints the smallest input found and the seed. `PROPTEST_RNG_SEED` repeats a run,
//! `PROPTEST_CASES` sets the number of cases per property.

mod layouts;
mod ranges;
mod texts;
