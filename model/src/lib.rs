//! The rectangle lease as a model that stateright searches exhaustively. The README beside this
//! crate says what it shows.
//!
//! A search is a [`row::Row`]: a variant of the protocol (the sound form, or one with `mistakes`),
//! a `setting`, a question, and the expected outcome. [`table`] lists them. The model, from
//! the inside out:
//!
//! - `clock`: ticks, and the possible readings of wall clocks;
//! - `store`: `acquire`, `renew` and `release` on the records of one node;
//! - `cluster`: its nodes, and the writes that a failover loses;
//! - `network`: calls, answers, and how they travel;
//! - `holder` and `parts`: a lease in a process, and in its threads;
//! - `state`, `action` and `step`: the whole system, the possible steps, and their effects;
//! - `properties`: the properties that must hold;
//! - `system`: the model, as the checker sees it.

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
mod setting;
mod state;
mod step;
mod store;
mod system;
pub mod table;

/// The most holders of a setting.
const HOLDERS: usize = 3;

/// The most numbers of a setting.
const NUMBERS: usize = 2;
