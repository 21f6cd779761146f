//! The graph of a world: every node that a history can reach, and every edge from it.

use std::collections::HashMap;

use graupel::engine::Generator;

use crate::check::{self, Next, all};
use crate::history::Told;
use crate::merge::Merge;
use crate::node::{Answer, Call, Node, make};
use crate::world::{Id, Ids, World};

/// More nodes than any world has. A generator that counted without end would always reach new
/// nodes.
const MOST: usize = 5000;

/// The index of a node in the graph.
pub type Place = usize;

/// The effect of a call on a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub from: Place,
    pub to: Place,
    pub call: Call,
    pub answer: Answer,
    /// The IDs that count as issued after the call.
    pub spent: Ids,
    /// The IDs that are given up: they will never be issued, but do not count as lost.
    pub given_up: Ids,
    /// The IDs that the answer reports as used up.
    pub claimed: Ids,
}

impl Edge {
    /// The ID that the call issues.
    pub fn id(&self) -> Option<Id> {
        self.answer.ok().flatten()
    }
}

/// A violated rule: its name, its node, and the call.
#[derive(Debug)]
pub struct Contradiction {
    pub rule: &'static str,
    pub at: Place,
    pub what: String,
    /// IDs that must have been issued before (`true`), or must not have been.
    pub id: Option<(Ids, bool)>,
}

/// A graph, and the contradiction that ended its search, if there was one.
pub struct Search {
    pub graph: Graph,
    pub found: Option<Contradiction>,
}

pub struct Graph {
    pub world: World,
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge>,
    pub merges: Vec<Merge>,
    /// The number of calls made.
    pub calls: usize,
    places: HashMap<Node, Place>,
    /// For each node, a generator that reached it by calls, with all of its other state.
    lived: Vec<Generator>,
}

impl Graph {
    /// Searches a world completely, or until the first contradiction.
    pub fn search(world: World) -> Search {
        let mut graph = Self {
            lived: vec![world.start().generator(&world)],
            places: HashMap::from([(world.start(), 0)]),
            nodes: vec![world.start()],
            edges: Vec::new(),
            merges: Vec::new(),
            calls: 0,
            world,
        };
        let calls = graph.world.calls();
        let mut next = 0;
        while next < graph.nodes.len() {
            let opened = if next < MOST { graph.open(next, &calls) } else { Err(graph.endless()) };
            if let Err(contradiction) = opened {
                return Search { graph, found: Some(contradiction) };
            }
            next += 1;
        }
        let found = graph.takes_the_later().err();
        Search { graph, found }
    }

    /// The contradiction of a search that does not end.
    fn endless(&self) -> Contradiction {
        Contradiction { rule: "a world without an end", at: 0, what: format!("{:?}", self.nodes[MOST]), id: None }
    }

    /// Makes every possible call from a node and merges the node with all earlier ones.
    fn open(&mut self, from: Place, calls: &[Call]) -> Result<(), Contradiction> {
        let first = self.edges.len();
        for call in calls {
            let edge = self.call(from, call).map_err(|rule| Contradiction {
                rule,
                at: from,
                what: format!("{call}: {}", Told(&self.nodes[from].play(&self.world, call).0)),
                id: None,
            })?;
            let same = |other: &Edge| {
                (other.to, other.answer, other.claimed, other.given_up)
                    == (edge.to, edge.answer, edge.claimed, edge.given_up)
            };
            if !self.edges[first..].iter().any(same) {
                self.edges.push(edge);
            }
        }
        self.calls += calls.len();
        if self.world.merges {
            for other in 0..=from {
                for pair in [[from, other], [other, from]] {
                    self.merge(pair)?;
                }
            }
        }
        Ok(())
    }

    fn call(&mut self, from: Place, call: &Call) -> Result<Edge, &'static str> {
        let (world, node) = (&self.world, self.nodes[from]);
        let (answer, after) = node.play(world, call);
        let mut lived = self.lived[from];
        let again = make(world, &mut lived, call);
        all(&[("a call depends on more than the node", again == answer && Node::of(&lived) == after)])?;
        let mut edge = Edge { from, to: 0, call: *call, answer, spent: 0, given_up: 0, claimed: 0 };
        match *call {
            Call::Next { now, bits, policy, interval, restart } => {
                let next = Next { world, node: &node, now, bits, policy, interval, restart };
                next.check(&answer, &after)?;
                let mut generator = node.generator(world);
                let _ = make(world, &mut generator, call);
                next.stats(&answer, &generator)?;
                if answer.is_ok() {
                    next.burst(&generator)?;
                }
                (edge.claimed, edge.given_up) = (next.claimed(&answer), next.passed_over(&answer));
            }
            Call::At { tick, bits, interval } => check::given(world, &node, tick, bits, interval, &answer, &after)?,
            Call::NotBefore(tick) => edge.spent = world.ids(0..tick, None),
            Call::Restore => all(&[("a snapshot", after == Node { pending: false, ..node })])?,
        }
        if let Ok(Some(id)) = answer {
            edge.spent = id.alone();
        }
        edge.to = self.place(after, lived);
        Ok(edge)
    }

    /// The index of a node, which may be new.
    pub fn place(&mut self, node: Node, lived: Generator) -> Place {
        *self.places.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.lived.push(lived);
            self.nodes.len() - 1
        })
    }
}
