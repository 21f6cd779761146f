//! A row of the table: one search and its expected outcome.

use crate::mistakes::Mistakes;
use crate::properties::{Kind, Question};
use crate::search;
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
}

impl Expected {
    /// Whether a search may stop at a counterexample to this property.
    pub fn is_met_by(self, name: &str) -> bool {
        match self {
            Self::Sound => true,
            Self::Broken(expected) => expected == name,
        }
    }
}

impl Row {
    /// The names of the variant and the setting.
    pub fn name(&self) -> String {
        format!("{} | {}", self.variant, self.setting.name)
    }

    /// Runs the search.
    pub fn search(&self) -> Report {
        let Self { setting, mistakes, question, expected, .. } = *self;
        let found = search::search(&System { setting, mistakes, question }, expected);
        let violated = found
            .steps
            .into_iter()
            .filter(|(property, steps)| steps.is_none() == (property.kind == Kind::Sometimes))
            .map(|(property, steps)| {
                let steps = steps.unwrap_or_default();
                (property.name, steps.iter().map(|action| format!("{action:?}")).collect())
            })
            .collect();
        Report { violated, states: found.states }
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
