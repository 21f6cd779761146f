//! The table as Markdown.

use std::path::PathBuf;

use crate::row::{Expected, Report, Row};
use crate::setting::Setting;

/// The first two lines of the table.
pub const HEADER: &str = "| variant | setting | bounds | outcome | states |\n| --- | --- | --- | --- | ---: |";

const BEGIN: &str = "<!-- rows -->\n";
const END: &str = "<!-- /rows -->";
const NO_TABLE: &str = "the README has no table of the rows";

/// A row with its outcome.
pub fn line(row: &Row, report: &Report) -> String {
    let outcome = match (row.expected, report.violated.as_slice()) {
        (_, []) => String::from("none"),
        (Expected::Broken(name), all) => all
            .iter()
            .find(|&&(violated, _)| violated == name)
            .map_or_else(|| String::from("**another**"), |(name, steps)| found(name, steps.len())),
        (Expected::Sound, [(name, steps), ..]) => format!("**{}**", found(name, steps.len())),
    };
    // A search that stops at a counterexample has not visited all states.
    let states = if row.expected == Expected::Sound { grouped(report.states) } else { String::new() };
    format!("{} {outcome} | {states} |", head(row))
}

/// The cells of a row that do not depend on the search.
fn head(row: &Row) -> String {
    format!("| {} | {} | {} |", row.variant, row.setting.name, bounds(&row.setting))
}

fn found(name: &str, steps: usize) -> String {
    match name.strip_prefix("no ") {
        Some(what) => format!("{what}, {steps} steps"),
        None => format!("not \"{name}\", {steps} steps"),
    }
}

/// The bounds: holders, the last true time, ttl, q, and the tokens of a holder.
fn bounds(setting: &Setting) -> String {
    let Setting { holders, horizon, quarantine, tokens, ttl, .. } = setting;
    let ttl = if ttl[..*holders].iter().all(|other| other == &ttl[0]) {
        ttl[0].to_string()
    } else {
        format!("{}/{}", ttl[0], ttl[1])
    };
    format!("H{holders} until {horizon}, ttl {ttl}, q {quarantine}, N{tokens}")
}

/// A number with commas between groups of three digits.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The path of the README beside this crate.
fn readme() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "README.md"].iter().collect()
}

fn read() -> Result<String, String> {
    std::fs::read_to_string(readme()).map_err(|error| error.to_string())
}

/// The text of the README before, in and after the table.
fn parts(text: &str) -> Option<[&str; 3]> {
    let (before, rest) = text.split_once(BEGIN)?;
    rest.split_once(END).map(|(table, after)| [before, table, after])
}

/// Checks that the table in the README has exactly these rows, and these outcomes of the searched
/// ones.
pub fn check(rows: &[Row], searched: &[Row], reports: &[Report]) -> Result<(), String> {
    let text = read()?;
    let [_, table, _] = parts(&text).ok_or(NO_TABLE)?;
    let found: Vec<&str> = table.lines().skip(2).collect();
    let same = found.len() == rows.len()
        && found.iter().zip(rows).all(|(line, row)| line.starts_with(&head(row)))
        && searched.iter().zip(reports).all(|(row, report)| found.contains(&line(row, report).as_str()));
    let words = "the table in model/README.md is out of date; run npm run test:long -- model --write";
    if same { Ok(()) } else { Err(words.into()) }
}

/// Replaces the table in the README.
pub fn write(rows: &[Row], reports: &[Report]) -> Result<(), String> {
    let text = read()?;
    let [before, _, after] = parts(&text).ok_or(NO_TABLE)?;
    let lines: Vec<String> = rows.iter().zip(reports).map(|(row, report)| line(row, report)).collect();
    let text = format!("{before}{BEGIN}{HEADER}\n{}\n{END}{after}", lines.join("\n"));
    std::fs::write(readme(), text).map_err(|error| error.to_string())
}
