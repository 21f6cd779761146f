//! The properties that must hold, and the states that a search must reach. A search that reaches
//! nothing proves nothing.

use crate::setting::Schedule;
use crate::state::{Faults, State};
use crate::system::System;

/// The question of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Is any ID issued twice, or any invariant violated?
    Safety,
    /// Is any ID issued twice? Finds the shortest counterexample.
    Duplicate,
    /// Is no ID issued twice? This is for a variant without an interval.
    NoDuplicate,
    /// In a fair schedule, does some holder always issue in time?
    Progress,
    /// In a fair schedule, can a holder always issue once it has begun (L1)?
    Readiness,
}

/// When a property must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// In every state.
    Always,
    /// In some state.
    Sometimes,
    /// In every state without a next step.
    AtEnd,
}

/// A property of states.
pub struct Property {
    /// Its name.
    pub name: &'static str,
    /// When it must hold.
    pub kind: Kind,
    holds: fn(&System, &State) -> bool,
}

impl Property {
    fn new(kind: Kind, name: &'static str, holds: fn(&System, &State) -> bool) -> Self {
        Self { name, kind, holds }
    }

    /// Whether a state is an example of a property that must hold sometimes, or a counterexample to
    /// another one.
    pub fn is_decided(&self, system: &System, state: &State, is_end: bool) -> bool {
        (self.kind != Kind::AtEnd || is_end) && (self.holds)(system, state) == (self.kind == Kind::Sometimes)
    }
}

/// No ID is issued twice.
pub const NO_DUPLICATE: &str = "no duplicate";
/// Invariant I1.
pub const MARKS_RISE: &str = "I1: a mark falls only in a release, and not below a used time";
/// Invariant I2.
pub const TENURES_APART: &str = "I2: of two tenures of a number, one ends before the other begins";
/// Invariant I3.
pub const INSIDE: &str = "I3: each holder stays in its interval, and its IDs grow";
/// Without this, the search would prove nothing.
pub const ISSUED: &str = "an ID is issued";
/// Without this, the search would prove nothing.
pub const HANDED_OVER: &str = "a number is handed over, and both its holders issue";
/// Liveness property L1.
pub const READY: &str = "L1: a holder can issue at any time";
/// Liveness property L2.
pub const NOT_OVERDUE: &str = "L2: somebody issues in time";

impl Question {
    /// The properties of a search.
    pub fn properties(self) -> Vec<Property> {
        match self {
            Self::Safety => vec![
                Property::new(Kind::Always, NO_DUPLICATE, |_, state: &State| !state.faults.has(Faults::DUPLICATE)),
                Property::new(Kind::Always, MARKS_RISE, |_, state: &State| !state.faults.has(Faults::MARK_FELL)),
                Property::new(Kind::Always, TENURES_APART, |_, state: &State| {
                    !state.faults.has(Faults::TENURES_OVERLAP)
                }),
                Property::new(Kind::Always, INSIDE, |_, state: &State| !state.faults.has(Faults::LEFT_INTERVAL)),
                Property::new(Kind::Sometimes, ISSUED, |_, state: &State| state.watched.is_some()),
                Property::new(Kind::Sometimes, HANDED_OVER, |_, state: &State| was_handed_over(state)),
            ],
            Self::Duplicate => {
                vec![Property::new(Kind::Always, NO_DUPLICATE, |_, state: &State| !state.faults.has(Faults::DUPLICATE))]
            }
            Self::NoDuplicate => vec![
                Property::new(Kind::Always, NO_DUPLICATE, |_, state: &State| !state.faults.has(Faults::DUPLICATE)),
                Property::new(Kind::Sometimes, HANDED_OVER, |_, state: &State| was_handed_over(state)),
            ],
            Self::Progress => vec![
                Property::new(Kind::Always, NOT_OVERDUE, |_, state: &State| !state.faults.has(Faults::OVERDUE)),
                Property::new(Kind::AtEnd, ISSUED, |_, state: &State| state.newest[0].is_some()),
            ],
            Self::Readiness => vec![
                Property::new(Kind::Always, READY, is_ready),
                Property::new(Kind::AtEnd, ISSUED, |_, state: &State| state.newest[0].is_some()),
            ],
        }
    }
}

fn was_handed_over(state: &State) -> bool {
    let Some(watched) = state.watched else { return false };
    state.newest[watched.number].is_some_and(|newest| newest.tenure != watched.tenure)
}

/// Whether the interval of each holder that has begun ends after the reading of its wall clock.
fn is_ready(system: &System, state: &State) -> bool {
    debug_assert!(matches!(system.setting.schedule, Schedule::Fair { .. }), "only a fair schedule can be ready");
    state.holders.iter().all(|holder| {
        holder.lease.as_ref().is_none_or(|lease| {
            let (_, end) = lease.ticks(system.setting.scale, system.mistakes);
            lease.last.is_none() || system.setting.scale.tick(state.time + holder.ahead) < end
        })
    })
}
