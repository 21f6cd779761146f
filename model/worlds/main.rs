//! Small worlds: generators with so few ticks and values that a search covers every history of calls,
//! of any length.
//!
//! This is possible because a generator remembers little: its saved counters, and whether a draw is
//! pending, but not the IDs that it has issued. This memory is a [`node`], calls are edges, and the
//! [`graph`] of a [`world`] is therefore finite. Two fixed points contain the [`issued`] IDs: those of
//! at least one history to a node (*may*), and those of every history (*must*). An edge repeats an ID
//! if its node's *may* contains it. A tick that is reported full has lost IDs if *must* does not
//! contain all of its IDs. [`check`] has the rules for single calls. For a contradiction, the shortest
//! [`history`] is printed.
//!
//! `cargo run --package graupel-worlds` prints the worlds with their numbers of nodes, edges and
//! merges.

mod check;
mod graph;
mod history;
mod issued;
mod merge;
mod node;
mod table;
mod tour;
mod world;

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use graph::{Graph, Search};
use issued::Issued;
use world::World;

/// The size of a world.
#[derive(Clone, Copy, Debug, Default)]
struct Size {
    nodes: usize,
    edges: usize,
    merges: usize,
    calls: usize,
}

/// Searches a world. Returns its size, or the shortest history that leads to a contradiction.
fn search(world: World) -> Result<Size, String> {
    let Search { graph, found } = Graph::search(world);
    match found.or_else(|| Issued::of(&graph).contradiction(&graph)) {
        Some(found) => Err(found.told(&graph)),
        None => Ok(Size {
            nodes: graph.nodes.len(),
            edges: graph.edges.len(),
            merges: graph.merges.len(),
            calls: graph.calls,
        }),
    }
}

/// Searches all worlds in parallel, one on each processor.
fn search_all() -> Vec<(&'static str, Result<Size, String>)> {
    let worlds = table::worlds();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(world) = worlds.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.push((world.name, search(world.clone())));
        }
        found
    };
    let count = thread::available_parallelism().map_or(1, std::num::NonZero::get);
    thread::scope(|scope| {
        let threads: Vec<_> = (0..count).map(|_| scope.spawn(work)).collect();
        threads.into_iter().flat_map(|thread| thread.join().expect("a search ends")).collect()
    })
}

/// Without an argument, prints the sizes of all worlds, or the contradictions. With `tour`, prints
/// a tour of the worlds that the package can play.
fn main() {
    if std::env::args().nth(1).is_some_and(|word| word == "tour") {
        let mut text = String::new();
        table::to_play().into_iter().for_each(|world| tour::write(&Graph::search(world).graph, &mut text));
        return print!("{text}");
    }
    for (name, found) in search_all() {
        match found {
            Ok(Size { nodes, edges, merges, calls }) => println!("{name}: {nodes} {edges} {merges} {calls}"),
            Err(told) => println!("{told}"),
        }
    }
}

#[test]
fn no_history_of_a_small_world_repeats_an_id_or_loses_one() {
    let (found, wrong): (Vec<_>, Vec<_>) = search_all().into_iter().map(|(_, found)| found).partition(Result::is_ok);
    let wrong: Vec<String> = wrong.into_iter().filter_map(Result::err).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    let sizes: Vec<Size> = found.into_iter().flatten().collect();
    let grouped = |of: fn(&Size) -> usize| {
        let digits = sizes.iter().map(of).sum::<usize>().to_string();
        let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().map(|group| str::from_utf8(group).unwrap()).collect();
        groups.join(",")
    };
    let [nodes, edges, merges] = [grouped(|size| size.nodes), grouped(|size| size.edges), grouped(|size| size.merges)];
    let figures =
        format!("{} layouts, with {nodes} states, {edges} steps between them and {merges} merges", sizes.len());
    let page = include_str!("../../www/docs/guarantees.md").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(page.contains(&figures), "www/docs/guarantees.md does not say: {figures}");
}
