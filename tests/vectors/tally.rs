//! Runs every item of a file, and counts those that match and those with each deviation.

use std::collections::BTreeMap;
use std::fmt::Debug;

use graupel::Error;

use super::data::{File, Item};

/// The result of an item; `Err` says how the core differs from what the item says.
pub type Check = Result<Reach, String>;

/// A section's name, and the check of its items.
pub type Section = (&'static str, fn(Item<'_>) -> Check);

/// How much of an item the core can answer.
pub enum Reach {
    /// All of it, as the item says.
    Core,
    /// Nothing: it is about options, lengths or types, which the package checks.
    Package,
}

pub use Reach::{Core, Package};

/// The name under which items of [`Package`] are counted.
const OUTSIDE: &str = "outside-core";

/// `Err` unless the two are equal.
pub fn equal<T: PartialEq + Debug>(what: &str, found: T, wanted: T) -> Result<(), String> {
    if found == wanted { Ok(()) } else { Err(format!("{what}: found {found:?}, wanted {wanted:?}")) }
}

/// `Err` unless it holds.
pub fn holds(what: &str, condition: bool) -> Result<(), String> {
    if condition { Ok(()) } else { Err(what.to_owned()) }
}

/// Compares an outcome with the one under `here`: the name of an error, or a value. Without `here`, with the value that the reference
/// got, or `None` if the reference refused. An item has the name of a deviation exactly if the two differ.
pub fn agrees(item: Item<'_>, found: Result<String, Error>, recorded: Option<&str>) -> Check {
    let here = item.get("here").as_str();
    if here == Some(Error::Length.name()) {
        // The package counts characters. The core has bytes, and finds one that is not in the alphabet.
        return equal("refused", found, Err(Error::Character)).map(|()| Package);
    }
    let differs = if found.is_ok() { here } else { recorded };
    let found = found.unwrap_or_else(|error| error.name().to_owned());
    equal("outcome", Some(found.as_str()), here.or(recorded))?;
    deviates(item, differs.is_some())
}

/// `Err` unless the item has the name of a deviation exactly if there is one.
pub fn deviates(item: Item<'_>, differs: bool) -> Check {
    equal("a deviation", item.get("deviation").is_string(), differs).map(|()| Core)
}

/// Runs every section of a file, and prints the table. Panics if an item failed, or a section was left out.
pub fn run(name: &'static str, sections: &[Section]) {
    let (file, reasons) = (File::read(name), File::read("deviations"));
    let mut failures = Vec::new();
    println!("{name:26}{:>6}{:>6}  stand under a name", "items", "met");
    for (section, check) in sections {
        let mut met = 0;
        let mut names = BTreeMap::<&str, usize>::new();
        let items = file.items(section);
        for item in &items {
            match (check(*item), item.get("deviation").as_str()) {
                (Err(why), _) => failures.push(format!("{section}, {}: {why}", item.text("id"))),
                (Ok(Core), None) => met += 1,
                (Ok(Package), _) => *names.entry(OUTSIDE).or_default() += 1,
                (Ok(Core), Some(name)) => *names.entry(name).or_default() += 1,
            }
        }
        let unexplained = names.keys().filter(|name| !reasons.head(name).is_string());
        failures.extend(unexplained.map(|name| format!("no reason is given for {name}")));
        let standing: Vec<_> = names.iter().map(|(name, count)| format!("{name} {count}")).collect();
        println!("  {section:24}{:6}{met:6}  {}", items.len(), standing.join(", "));
    }
    let left_out: Vec<_> = file.sections().filter(|name| !sections.iter().any(|(done, _)| done == name)).collect();
    assert!(left_out.is_empty(), "sections not run: {left_out:?}");
    assert!(failures.is_empty(), "{name}: {} items failed\n{}", failures.len(), failures.join("\n"));
}
