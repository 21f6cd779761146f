//! The IDs that the histories to a node have issued, as two fixed points.

use crate::graph::{Contradiction, Edge, Graph};
use crate::history::Told;
use crate::merge::Merge;
use crate::world::Ids;

pub struct Issued {
    /// The IDs that at least one history to a node has issued: the union.
    may: Vec<Ids>,
    /// The IDs that every history to a node has issued or given up: the intersection.
    must: Vec<Ids>,
}

impl Issued {
    pub fn of(graph: &Graph) -> Self {
        let count = graph.nodes.len();
        let mut issued = Self { may: vec![0; count], must: vec![Ids::MAX; count] };
        issued.must[0] = graph.world.begun();
        let mut before = None;
        while before != Some((issued.may.clone(), issued.must.clone())) {
            before = Some((issued.may.clone(), issued.must.clone()));
            for &Edge { from, to, spent, given_up, .. } in &graph.edges {
                issued.flow(to, issued.may[from] | spent, issued.must[from] | spent | given_up);
            }
            for &Merge { from: [own, other], to, given_up } in &graph.merges {
                let (may, must) = (issued.may[own] | issued.may[other], issued.must[own] | issued.must[other]);
                issued.flow(to, may, must | given_up);
            }
        }
        issued
    }

    fn flow(&mut self, to: usize, may: Ids, must: Ids) {
        self.may[to] |= may;
        self.must[to] &= must;
    }

    /// Finds an ID that an edge repeats, or an ID of a tick that is reported full although some
    /// history has not issued the ID.
    pub fn contradiction(&self, graph: &Graph) -> Option<Contradiction> {
        graph.edges.iter().find_map(|edge| {
            let id = edge.id().map_or(0, |id| id.alone());
            let lost = edge.claimed & !self.must[edge.from];
            let (rule, id) = if self.may[edge.from] & id != 0 {
                ("an ID is issued twice", (id, true))
            } else if lost != 0 {
                ("a tick is called full of which an ID is lost", (1 << lost.trailing_zeros(), false))
            } else {
                return None;
            };
            let what = format!("{}: {}", edge.call, Told(&edge.answer));
            Some(Contradiction { rule, at: edge.from, what, id: Some(id) })
        })
    }
}
