//! Writes a tour of a world: each edge once, as lines of text that other programs can play.
//!
//! The lines are `world` with its name; `node` with its numbers, as they are saved; `from` with the
//! node at which a walk begins; and calls, each with its answer and the next node. A walk ends when
//! no edge of its node is left to play.

use std::fmt::Write as _;

use graupel::engine::{Backfill, State};

use crate::graph::{Edge, Graph, Place};
use crate::history::{Told, words};
use crate::node::Call;

/// Writes the tour of a world with counters. Generators that draw random values have no tour,
/// because they call their random source during a call.
pub fn write(graph: &Graph, text: &mut String) {
    let _ = writeln!(text, "world {}", graph.world.name);
    for node in &graph.nodes {
        let State { highest, last, value, left, safe, tick_tocks, first_live } = node.state;
        let Backfill { highest: given, value: given_value, left: given_left, wrapped } = node.backfill;
        let first_live = first_live.cast_signed();
        let _ = write!(text, "node {highest} {last} {value} {left} {safe} {tick_tocks} {first_live}");
        let _ = writeln!(text, " {given} {given_value} {given_left} {wrapped}");
    }
    let mut left: Vec<Vec<&Edge>> = vec![Vec::new(); graph.nodes.len()];
    // Edges that return to their own node go to the end of the list, so they are played first.
    for edge in graph.edges.iter().filter(|edge| edge.to != edge.from) {
        left[edge.from].push(edge);
    }
    for edge in graph.edges.iter().filter(|edge| edge.to == edge.from) {
        left[edge.from].push(edge);
    }
    for start in 0..left.len() {
        while !left[start].is_empty() {
            let _ = writeln!(text, "from {start}");
            walk(start, &mut left, text);
        }
    }
}

fn walk(start: Place, left: &mut [Vec<&Edge>], text: &mut String) {
    let mut place = start;
    while let Some(edge) = left[place].pop() {
        let _ = match edge.call {
            Call::Next { now, policy, restart, .. } => {
                let (backwards, full) = words(&policy);
                write!(text, "next {now} {backwards} {full} {} {}", policy.max_ahead, restart.number())
            }
            Call::At { tick, .. } => write!(text, "at {tick}"),
            Call::NotBefore(tick) => write!(text, "notBefore {tick}"),
            Call::Restore => write!(text, "restore"),
        };
        let _ = writeln!(text, " = {} > {}", Told(&edge.answer), edge.to);
        place = edge.to;
    }
}
