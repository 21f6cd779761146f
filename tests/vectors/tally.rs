//! Counts the items that match, those with each deviation, and those with neither.

use std::collections::BTreeMap;
use std::fmt::{Debug, Write};

use super::data::{File, Item};

/// The result of an item; `Err` says how it differs without a known deviation.
pub type Check = Result<Verdict, String>;

/// The two accepted results.
pub enum Verdict {
    /// The same as the reference.
    Met,
    /// Not as the reference, because of the deviation with this name. The check has asserted what happens instead.
    Stands(&'static str),
}

pub use Verdict::{Met, Stands};

/// `Err` unless the two are equal.
pub fn equal<T: PartialEq + Debug>(what: &str, found: T, wanted: T) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, wanted {wanted:?}")) }
}

/// `Err` unless it holds.
pub fn holds(what: &str, condition: bool) -> Result<(), String> {
    if condition { Ok(()) } else { Err(what.to_owned()) }
}

/// The counts of one file.
pub struct Tally {
    file: File,
    reasons: File,
    lines: Vec<String>,
    done: Vec<String>,
    failures: Vec<String>,
}

impl Tally {
    pub fn new(file: File) -> Self {
        let reasons = File::read("deviations");
        Self { file, reasons, lines: Vec::new(), done: Vec::new(), failures: Vec::new() }
    }

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Checks every item of a section.
    pub fn section(&mut self, section: &'static str, check: impl Fn(Item<'_>) -> Check) {
        let mut met = 0;
        let mut names = BTreeMap::<&str, usize>::new();
        let items = self.file.items(section);
        for item in &items {
            match check(*item) {
                Ok(Met) => met += 1,
                Ok(Stands(name)) if self.reasons.head(name).is_string() => *names.entry(name).or_default() += 1,
                Ok(Stands(name)) => self.failures.push(format!("{}: no reason is given for {name}", item.id())),
                Err(why) => self.failures.push(format!("{}: {why}", item.id())),
            }
        }
        let mut line = format!("  {section:24}{:6}{met:6}", items.len());
        for (index, (name, count)) in names.iter().enumerate() {
            let _ = write!(line, "{}{name} {count}", if index == 0 { "  " } else { ", " });
        }
        self.lines.push(line);
        self.done.push(section.to_owned());
    }

    /// Prints the table. Panics if an item had neither result, or a section was left out.
    pub fn report(self) {
        let head = format!("{:26}{:>6}{:>6}  stand under a name", self.file.name(), "items", "met");
        println!("{head}\n{}", self.lines.join("\n"));
        let left_out: Vec<_> =
            self.file.sections().filter(|&name| !self.done.iter().any(|done| done == name)).collect();
        assert!(left_out.is_empty(), "sections not run: {left_out:?}");
        assert!(
            self.failures.is_empty(),
            "{}: {} items failed\n{}",
            self.file.name(),
            self.failures.len(),
            self.failures.join("\n")
        );
    }
}
