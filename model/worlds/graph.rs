//! The graph of a world: every node that any history reaches, and every edge from it.

use std::collections::HashMap;

use graupel::engine::Generator;

use crate::check::{self, Next, all};
use crate::history::Told;
use crate::merge::Merge;
use crate::node::{Answer, Call, Node, make};
use crate::world::{Id, Ids, World};

/// More nodes than any world has. A generator that keeps counting something would reach new nodes
/// without end.
const MOST: usize = 5000;

/// The place of a node in the graph.
pub type Place = usize;

/// The effect of a call on a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Edge {
    pub from: Place,
    pub to: Place,
    pub call: Call,
    pub answer: Answer,
    /// The IDs that count as issued from then on.
    pub spent: Ids,
    /// The IDs that are given up: they will never be issued, and do not count as lost.
    pub given_up: Ids,
    /// The IDs that the answer declares used up.
    pub claimed: Ids,
}

impl Edge {
    /// The ID that is issued.
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
    /// An ID that must have been issued before, or must not.
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
    /// How many calls were made.
    pub calls: usize,
    places: HashMap<Node, Place>,
    /// A generator that reached the node by calls, with all its other state.
    lived: Vec<Generator>,
}

impl Graph {
    /// Searches a world to its end, or to the first contradiction.
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

    /// The contradiction of a search without an end.
    fn endless(&self) -> Contradiction {
        Contradiction { rule: "a world without an end", at: 0, what: format!("{:?}", self.nodes[MOST]), id: None }
    }

    /// Makes every call from a node, and merges it with all nodes before it.
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

    /// The place of a node, which is new or known.
    pub fn place(&mut self, node: Node, lived: Generator) -> Place {
        *self.places.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            self.lived.push(lived);
            self.nodes.len() - 1
        })
    }
}
