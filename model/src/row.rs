//! A row of the table: one search and its expected outcome.

use std::time::{Duration, Instant};

use stateright::{Checker, Expectation, Model};

use crate::mistakes::Mistakes;
use crate::properties::Question;
use crate::setting::Setting;
use crate::system::System;

/// The runs that include a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Size {
    /// `npm test`, and the larger run.
    Short,
    /// Only the larger run.
    Long,
}

/// The outcome that a search must have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expected {
    /// All properties hold, in every state within the bounds.
    Sound,
    /// There is a counterexample to this property.
    Broken(&'static str),
}

/// A search.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The name of the variant.
    pub variant: &'static str,
    /// The mistakes of the variant.
    pub mistakes: Mistakes,
    /// The setting.
    pub setting: Setting,
    /// The question.
    pub question: Question,
    /// The expected outcome.
    pub expected: Expected,
    /// The runs that include the row.
    pub size: Size,
}

/// The result of a search.
#[derive(Clone, Debug)]
pub struct Report {
    /// The violated properties, each with its counterexample. The counterexample is empty for a
    /// state that the search should have reached but did not.
    pub violated: Vec<(&'static str, Vec<String>)>,
    /// The number of distinct states.
    pub states: usize,
    /// The duration of the search.
    pub time: Duration,
}

/// How often a long search reports its progress.
const HEARTBEAT: Duration = Duration::from_secs(5);

impl Row {
    /// The names of the variant and the setting.
    pub fn name(&self) -> String {
        format!("{} | {}", self.variant, self.setting.name)
    }

    /// Runs the search. Calls `progress` with the number of distinct states every 5 seconds.
    pub fn search(&self, threads: usize, progress: impl Fn(usize)) -> Report {
        let Self { setting, mistakes, question, .. } = *self;
        let builder = System { setting, mistakes, question }.checker();
        // A breadth-first search with one thread finds the shortest counterexample. A depth-first
        // search needs less memory.
        match self.expected {
            Expected::Broken(_) => follow(builder.spawn_bfs(), progress),
            Expected::Sound => follow(builder.threads(threads).spawn_dfs(), progress),
        }
    }

    /// Compares a report with the expected outcome. Returns an error that describes the difference.
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
