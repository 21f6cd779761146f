//! The rectangle lease as a model, and an exhaustive search of its states. The README beside this
//! crate explains the results.
//!
//! A search is a [`row::Row`]: a variant of the protocol (the sound form, or one with `mistakes`),
//! a `setting`, a question, and the expected outcome. [`table`] lists the rows. The modules, from
//! the inside out:
//!
//! - `clock`: ticks, and the possible readings of wall clocks;
//! - `store`: `acquire`, `renew` and `release` on the records of one node;
//! - `cluster`: the nodes of a store, and the writes that a failover loses;
//! - `network`: calls and answers, and how they travel;
//! - `holder` and `parts`: a lease in a process and in its threads;
//! - `state`, `action` and `step`: the whole system, its possible steps, and their effects;
//! - `properties`: the properties that must hold;
//! - `system`: a variant in a setting, and its first states;
//! - `search`: the search.

mod action;
mod clock;
mod cluster;
mod holder;
mod mistakes;
mod network;
mod parts;
pub mod print;
mod properties;
pub mod row;
mod search;
mod setting;
mod state;
mod step;
mod store;
mod system;
pub mod table;

/// The maximum number of holders in a setting.
const HOLDERS: usize = 3;

/// The maximum number of worker IDs in a setting.
const NUMBERS: usize = 2;
