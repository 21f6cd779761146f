//! Prints the shortest history that leads to a contradiction.

use std::fmt::{self, Write as _};

use graupel::engine::{Backwards, Full, Interval, NotIssued, Policy};

use crate::graph::{Contradiction, Graph, Place};
use crate::node::{Answer, Call};
use crate::world::Ids;

/// How a node is reached with the fewest calls, with or without issuing the ID in question.
#[derive(Clone, Copy)]
struct Way {
    calls: usize,
    by: By,
}

#[derive(Clone, Copy)]
enum By {
    Start,
    Edge(usize, bool),
    Merge(usize, [bool; 2]),
}

/// The shortest ways to all nodes: `[without the ID, with it]`.
struct Ways<'a> {
    graph: &'a Graph,
    ways: Vec<[Option<Way>; 2]>,
}

impl Contradiction {
    /// The contradiction, and the history that leads to it, as text.
    pub fn told(&self, graph: &Graph) -> String {
        let (id, issued) = self.id.unwrap_or((0, false));
        let mut ways = Ways { graph, ways: vec![[None; 2]; graph.nodes.len()] };
        ways.find(id);
        let mut text = format!("{}: {}\n", graph.world.name, self.rule);
        ways.tell(self.at, issued, 1, &mut text);
        let _ = write!(text, "  {}", self.what);
        text
    }
}

impl Ways<'_> {
    /// Shortens ways until none can be shortened further.
    fn find(&mut self, id: Ids) {
        let graph = self.graph;
        self.ways[0][0] = Some(Way { calls: 0, by: By::Start });
        let mut shortened = true;
        while shortened {
            shortened = false;
            for (index, edge) in graph.edges.iter().enumerate() {
                for has in [false, true] {
                    let Some(Way { calls, .. }) = self.ways[edge.from][usize::from(has)] else { continue };
                    let issues = edge.id().is_some_and(|issued| issued.alone() & id != 0);
                    let way = Way { calls: calls + 1, by: By::Edge(index, has) };
                    shortened |= self.shorten(edge.to, has || issues, way);
                }
            }
            for (index, merge) in graph.merges.iter().enumerate() {
                for has in [[false, false], [false, true], [true, false], [true, true]] {
                    let [own, other] = [0, 1].map(|one| self.ways[merge.from[one]][usize::from(has[one])]);
                    let (Some(own), Some(other)) = (own, other) else { continue };
                    let way = Way { calls: own.calls + other.calls + 1, by: By::Merge(index, has) };
                    shortened |= self.shorten(merge.to, has[0] || has[1], way);
                }
            }
        }
    }

    fn shorten(&mut self, to: Place, has: bool, way: Way) -> bool {
        let known = &mut self.ways[to][usize::from(has)];
        let is_shorter = known.is_none_or(|known| way.calls < known.calls);
        if is_shorter {
            *known = Some(way);
        }
        is_shorter
    }

    fn tell(&self, place: Place, has: bool, depth: usize, text: &mut String) {
        let indent = "  ".repeat(depth);
        let Some(way) = self.ways[place][usize::from(has)] else { return };
        match way.by {
            By::Start => {}
            By::Edge(index, had) => {
                let edge = &self.graph.edges[index];
                self.tell(edge.from, had, depth, text);
                let _ = writeln!(text, "{indent}{}: {}", edge.call, Told(&edge.answer));
            }
            By::Merge(index, had) => {
                for (from, had) in self.graph.merges[index].from.into_iter().zip(had) {
                    let _ = writeln!(text, "{indent}a history:");
                    self.tell(from, had, depth + 1, text);
                }
                let _ = writeln!(text, "{indent}the first one, merged with the second");
            }
        }
    }
}

/// A policy in words.
pub fn words(policy: &Policy) -> (&'static str, &'static str) {
    let backwards = Backwards::WORDS.iter().find(|(one, _)| *one == policy.backwards);
    let full = Full::WORDS.iter().find(|(one, _)| *one == policy.full);
    (backwards.map_or("", |(_, word)| word), full.map_or("", |(_, word)| word))
}

impl fmt::Display for Call {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (bits, interval) = match *self {
            Self::Next { now, bits, policy, interval, restart } => {
                let (backwards, full) = words(&policy);
                write!(
                    f,
                    "next at {now}, {backwards}/{full}, ahead {}, from {} on anew",
                    policy.max_ahead,
                    restart.number()
                )?;
                (bits, interval)
            }
            Self::At { tick, bits, interval } => {
                write!(f, "at {tick}")?;
                (bits, interval)
            }
            Self::NotBefore(tick) => return write!(f, "not before {tick}"),
            Self::Restore => return f.write_str("restored"),
        };
        if interval != Interval::ALL {
            write!(f, ", in {}..{}", interval.from, interval.until)?;
        }
        bits.map_or(Ok(()), |bits| write!(f, ", drawn {bits}"))
    }
}

/// An answer in words.
pub struct Told<'a>(pub &'a Answer);

impl fmt::Display for Told<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Ok(None) => f.write_str("done"),
            Ok(Some(id)) => write!(f, "{}.{}{}", id.tick, id.value, if id.tick_tock { "'" } else { "" }),
            Err(NotIssued::Refused(error)) => f.write_str(error.name()),
            Err(NotIssued::Wait { until, cause }) => write!(f, "{} until {until}", cause.name()),
            Err(NotIssued::Draw { bytes }) => write!(f, "draw {bytes}"),
        }
    }
}
