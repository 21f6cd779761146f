//! The nodes of a store: the primary, a deposed primary that still answers, and the earlier data to
//! which a failover may return.

use crate::clock::Millis;
use crate::store::Data;

/// A node: its data and its clock.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node {
    /// How far its clock is ahead of true time, in ms.
    pub ahead: Millis,
    /// The stored data.
    pub data: Data,
}

/// A node that was the primary.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deposed {
    /// The node with all of its data.
    pub node: Node,
    /// The last true time at which it answers, in ms.
    pub until: Millis,
}

/// The node that answers a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// The primary.
    Primary,
    /// The deposed primary.
    Deposed,
}

/// All nodes of a store.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Cluster {
    /// The node that clients should talk to.
    pub primary: Node,
    /// The previous primary, while it still answers.
    pub deposed: Option<Deposed>,
    /// The data before each of the primary's last writes, newest last. A replica may have any of
    /// these states.
    pub history: Vec<Data>,
}

impl Cluster {
    /// The node of a target, if it answers at this time.
    pub fn node(&self, target: Target, time: Millis) -> Option<&Node> {
        match target {
            Target::Primary => Some(&self.primary),
            Target::Deposed => {
                self.deposed.as_ref().filter(|deposed| time <= deposed.until).map(|deposed| &deposed.node)
            }
        }
    }

    /// Stores the data after a call. `kept`: the maximum number of the primary's last writes that a
    /// failover can lose.
    pub fn write(&mut self, target: Target, data: Data, kept: usize) {
        match target {
            Target::Primary => {
                if self.primary.data == data {
                    return;
                }
                if kept > 0 {
                    if self.history.len() == kept {
                        self.history.remove(0);
                    }
                    self.history.push(self.primary.data);
                }
                self.primary.data = data;
            }
            Target::Deposed => {
                if let Some(deposed) = &mut self.deposed {
                    deposed.node.data = data;
                }
            }
        }
    }

    /// Makes a replica the primary. It lacks the last `lost` writes, and its clock is `ahead`. The
    /// old primary answers until `until`.
    pub fn fail_over(&mut self, lost: usize, ahead: Millis, until: Option<Millis>) {
        let mut data = self.primary.data;
        for _ in 0..lost {
            data = self.history.pop().unwrap_or(data);
        }
        let old = std::mem::replace(&mut self.primary, Node { ahead, data });
        self.deposed = until.map(|until| Deposed { node: old, until });
    }

    /// Makes the deposed primary the primary again, with the writes that the failover lost, and
    /// without the writes after the failover.
    pub fn fail_back(&mut self) {
        if let Some(deposed) = self.deposed.take() {
            self.history.clear();
            self.primary = deposed.node;
        }
    }
}
