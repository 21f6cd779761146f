//! A variant of the protocol in a setting, and its first states.

use crate::HOLDERS;
use crate::clock::{Millis, Wall};
use crate::cluster::{Cluster, Node};
use crate::holder::Holder;
use crate::mistakes::Mistakes;
use crate::properties::Question;
use crate::setting::Setting;
use crate::state::{Faults, State};
use crate::store::{Data, Kind};

/// A variant of the protocol in a setting, and the question about it.
#[derive(Clone, Debug)]
pub struct System {
    /// The setting.
    pub setting: Setting,
    /// The mistakes of the variant.
    pub mistakes: Mistakes,
    /// The question.
    pub question: Question,
}

impl System {
    /// Whether the store may lose writes.
    pub fn is_forgetful(&self) -> bool {
        self.setting.store == Kind::Forgetful
    }

    /// The first state, with these errors of the clocks of the holders and the primary.
    fn first(&self, errors: [Millis; HOLDERS], ahead: Millis) -> State {
        let setting = &self.setting;
        let born = setting.mature.then_some(-setting.quarantine);
        let holders = errors.map(|ahead| Holder { ahead, ..Holder::default() });
        let primary = Node { ahead, data: Data { born, records: Default::default() } };
        State {
            time: 0,
            cluster: Cluster { primary, deposed: None, history: Vec::new() },
            holders,
            messages: Vec::new(),
            left: setting.powers,
            watched: None,
            newest: Default::default(),
            since: 0,
            faults: Faults::default(),
        }
    }

    /// The first states: one for each combination of the errors of the clocks.
    pub fn first_states(&self) -> Vec<State> {
        let error = match self.setting.wall {
            Wall::Any => 0,
            Wall::Within(error) => error,
        };
        let mut all = vec![[0; HOLDERS]];
        for holder in 0..self.setting.holders {
            all = all
                .into_iter()
                .flat_map(|errors| {
                    (-error..=error).map(move |ahead| {
                        let mut errors = errors;
                        errors[holder] = ahead;
                        errors
                    })
                })
                .collect();
        }
        let mut ahead = vec![0, self.setting.skew];
        ahead.dedup();
        all.iter().flat_map(|&errors| ahead.iter().map(move |&ahead| self.first(errors, ahead))).collect()
    }
}
