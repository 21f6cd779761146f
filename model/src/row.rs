//! A row of the table: one search, and what it must find.

use std::time::{Duration, Instant};

use stateright::{Checker, Expectation, Model};

use crate::mistakes::Mistakes;
use crate::properties::Question;
use crate::setting::Setting;
use crate::system::System;

/// Which runs include a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// `npm test`, and the larger run.
    Short,
    /// Only the larger run.
    Long,
}

/// What a search must find.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// All properties hold, in every state within the bounds.
    Sound,
    /// A counterexample to this property.
    Broken(&'static str),
}

/// A search.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The variant, in a few words.
    pub variant: &'static str,
    /// Where it departs from the sound form.
    pub mistakes: Mistakes,
    /// What surrounds it.
    pub setting: Setting,
    /// What is asked.
    pub question: Question,
    /// What must come out.
    pub expected: Expected,
    /// Which runs include it.
    pub size: Size,
}

/// What a search has found.
#[derive(Clone, Debug)]
pub struct Report {
    /// Properties without the outcome that they must have, and the steps that show it; none for a property that nothing reaches.
    pub violated: Vec<(&'static str, Vec<String>)>,
    /// Different states.
    pub states: usize,
    /// How long it took.
    pub time: Duration,
}

/// How often a search that takes long says so.
const HEARTBEAT: Duration = Duration::from_secs(5);

impl Row {
    /// Variant and setting.
    pub fn name(&self) -> String {
        format!("{} | {}", self.variant, self.setting.name)
    }

    /// Searches. Calls `progress` with the number of different states, every 5 seconds.
    pub fn search(&self, threads: usize, progress: impl Fn(usize)) -> Report {
        let Self { setting, mistakes, question, .. } = *self;
        let builder = System { setting, mistakes, question }.checker();
        // Breadth first, with one thread, finds the shortest counterexample; depth first needs less memory.
        match self.expected {
            Expected::Broken(_) => follow(builder.spawn_bfs(), progress),
            Expected::Sound => follow(builder.threads(threads).spawn_dfs(), progress),
        }
    }

    /// Whether a report is what the row expects; otherwise what is wrong.
    pub fn judge(&self, report: &Report) -> Result<(), String> {
        let names: Vec<_> = report.violated.iter().map(|&(name, _)| name).collect();
        match self.expected {
            Expected::Sound if names.is_empty() => Ok(()),
            Expected::Sound => {
                let shown = report.violated.iter().map(|(name, steps)| format!("\n{name}:\n  {}", steps.join("\n  ")));
                Err(format!("{}: all must hold, but not{}", self.name(), shown.collect::<String>()))
            }
            Expected::Broken(name) if names.contains(&name) => Ok(()),
            Expected::Broken(name) => {
                Err(format!("{}: no counterexample to \"{name}\" in {} states", self.name(), report.states))
            }
        }
    }
}

fn follow(checker: impl Checker<System>, progress: impl Fn(usize)) -> Report {
    let since = Instant::now();
    let mut told = since;
    while !checker.is_done() {
        std::thread::sleep(Duration::from_millis(5));
        if told.elapsed() >= HEARTBEAT {
            told = Instant::now();
            progress(checker.unique_state_count());
        }
    }
    let checker = checker.join();
    let time = since.elapsed();
    let found = checker.discoveries();
    let violated = checker
        .model()
        .properties()
        .iter()
        .filter(|property| found.contains_key(property.name) != (property.expectation == Expectation::Sometimes))
        .map(|property| {
            let steps = found.get(property.name).cloned().map_or_else(Vec::new, stateright::Path::into_actions);
            (property.name, steps.iter().map(|action| format!("{action:?}")).collect())
        })
        .collect();
    Report { violated, states: checker.unique_state_count(), time }
}
