//! The search: visits every state that any history reaches within the bounds.

use std::collections::hash_map::Entry;
use std::collections::{HashMap, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::action::Action;
use crate::properties::{Kind, Property};
use crate::row::Expected;
use crate::state::State;
use crate::system::System;

/// The parent of a first state.
const NONE: u64 = 0;

/// What a search has found.
pub struct Found {
    /// For each property, the steps to the first state that decides it.
    pub steps: Vec<(Property, Option<Vec<Action>>)>,
    /// The number of distinct states.
    pub states: usize,
}

/// States are compared by their fingerprints, because all states of a search need too much memory.
fn fingerprint(state: &State) -> u64 {
    let mut hasher = DefaultHasher::new();
    state.hash(&mut hasher);
    hasher.finish()
}

/// Visits all states, or stops at the expected counterexample. A breadth-first search finds a
/// shortest one. A depth-first search needs less memory, so it looks for one that must not exist.
pub fn search(system: &System, expected: Expected) -> Found {
    let properties = system.question.properties();
    let mut deciding = vec![None; properties.len()];
    // The fingerprint of each state, with that of the state before it.
    let mut parents = HashMap::new();
    let mut pending = VecDeque::new();
    let mut actions = Vec::new();
    for state in system.first_states() {
        let own = fingerprint(&state);
        if parents.insert(own, NONE).is_none() {
            pending.push_back((own, state));
        }
    }
    'all: while let Some((own, state)) =
        if expected == Expected::Sound { pending.pop_back() } else { pending.pop_front() }
    {
        actions.clear();
        system.possible(&state, &mut actions);
        for (property, decided) in properties.iter().zip(&mut deciding) {
            if decided.is_none() && property.is_decided(system, &state, actions.is_empty()) {
                *decided = Some(own);
                if property.kind != Kind::Sometimes && expected.is_met_by(property.name) {
                    break 'all;
                }
            }
        }
        for action in actions.drain(..) {
            let mut next = state.clone();
            system.take(&mut next, action);
            let print = fingerprint(&next);
            if let Entry::Vacant(entry) = parents.entry(print) {
                entry.insert(own);
                pending.push_back((print, next));
            }
        }
    }
    let steps = properties
        .into_iter()
        .zip(deciding)
        .map(|(property, decided)| (property, decided.map(|last| steps_to(system, &parents, last))))
        .collect();
    Found { steps, states: parents.len() }
}

/// The steps to a state.
fn steps_to(system: &System, parents: &HashMap<u64, u64>, last: u64) -> Vec<Action> {
    let mut prints = vec![last];
    while let Some(&parent) = prints.last().and_then(|print| parents.get(print)).filter(|&&parent| parent != NONE) {
        prints.push(parent);
    }
    let first = prints.pop();
    let mut state =
        system.first_states().into_iter().find(|state| Some(fingerprint(state)) == first).expect("a first state");
    let mut steps = Vec::new();
    for print in prints.into_iter().rev() {
        let mut actions = Vec::new();
        system.possible(&state, &mut actions);
        let (action, next) = actions
            .into_iter()
            .map(|action| {
                let mut next = state.clone();
                system.take(&mut next, action);
                (action, next)
            })
            .find(|(_, next)| fingerprint(next) == print)
            .expect("a step to the next state");
        steps.push(action);
        state = next;
    }
    steps
}
