//! Merges every two nodes of a world, for all histories that lead to them.

use graupel::engine::State;

use crate::check::all;
use crate::graph::{Contradiction, Graph, Place};
use crate::node::{Call, Node};
use crate::world::Ids;

/// Two merged histories. The resulting node inherits the IDs of both.
#[derive(Clone, Copy, Debug)]
pub struct Merge {
    pub from: [Place; 2],
    pub to: Place,
    /// If neither history continues the other, all of their ticks are given up.
    pub given_up: Ids,
}

impl Graph {
    pub fn merge(&mut self, from: [Place; 2]) -> Result<(), Contradiction> {
        let [own, other] = from.map(|place| self.nodes[place]);
        let merged = own.merged(&self.world, &other);
        let again = [other, own].map(|node| merged.merged(&self.world, &node));
        let (State { highest, first_live, .. }, [a, b]) = (merged.state, [own.state, other.state]);
        let same_line = (a.tick_tocks ^ b.tick_tocks) & 1 == 0;
        let is_one = [a, b].iter().any(|one| State { highest, first_live, ..*one } == merged.state);
        all(&[
            ("merged again, it is not the same", again == [merged; 2]),
            ("the highest reading is lost", highest == a.highest.max(b.highest) || !same_line && is_one),
            ("the lowest tick is lost", first_live == a.first_live.min(b.first_live)),
            ("a draw is pending after a merge", !merged.pending),
        ])
        .map_err(|rule| wrong(rule, from[0], &own, &other, &merged))?;
        let spent = [a.last, a.safe, b.last, b.safe].into_iter().max().unwrap_or(-1) + 1;
        let given_up = if is_one { 0 } else { self.world.ids(0..spent, None) };
        let lived = merged.generator(&self.world);
        let to = self.place(merged, lived);
        self.merges.push(Merge { from, to, given_up });
        Ok(())
    }

    /// If one history continues the other in a later tick, or counts on in the same tick, the merge
    /// returns it unchanged.
    pub fn takes_the_later(&self) -> Result<(), Contradiction> {
        let later = self.later();
        for &Merge { from: [own, other], to, .. } in &self.merges {
            for (early, late) in [(own, other), (other, own)] {
                let [a, b, merged] = [early, late, to].map(|place| self.nodes[place]);
                // Random and wrapped values may belong to different histories.
                let counts_on = !self.world.is_random() && b.state.value >= a.state.value;
                let goes_on = later[early][late / 64] >> (late % 64) & 1 == 1;
                if goes_on && (b.state.last > a.state.last || counts_on) && merged.state != b.state {
                    return Err(wrong("the later of two is not taken as it is", early, &a, &b, &merged));
                }
            }
        }
        Ok(())
    }

    /// For each node, the nodes that calls of `next` can reach from it, one bit each.
    fn later(&self) -> Vec<Vec<u64>> {
        let count = if self.merges.is_empty() { 0 } else { self.nodes.len() };
        let mut later = vec![vec![0_u64; count.div_ceil(64)]; count];
        (0..count).for_each(|place| later[place][place / 64] |= 1 << (place % 64));
        let steps = self.edges.iter().filter(|edge| edge.from != edge.to && matches!(edge.call, Call::Next { .. }));
        let steps: Vec<[Place; 2]> = steps.filter(|_| count > 0).map(|edge| [edge.from, edge.to]).collect();
        let mut changed = true;
        while changed {
            changed = false;
            // In reverse order, the first pass already finds most of them.
            for &[from, to] in steps.iter().rev() {
                let reached = later[to].clone();
                for (own, reached) in later[from].iter_mut().zip(reached) {
                    changed |= reached & !*own != 0;
                    *own |= reached;
                }
            }
        }
        later
    }
}

fn wrong(rule: &'static str, at: Place, own: &Node, other: &Node, merged: &Node) -> Contradiction {
    Contradiction { rule, at, what: format!("{own:?}\n  and {other:?}\n  merged: {merged:?}"), id: None }
}
