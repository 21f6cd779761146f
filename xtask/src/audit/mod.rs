//! Checks that the shipped module cannot trap or grow, and that a call that is cut off cannot leave
//! a moved stack pointer behind. A trap would make the module unusable for the whole process. The
//! audit reads the finished instructions, after all optimisers.
//!
//! | what can trap or grow, by the specification | what the audit demands |
//! | --- | --- |
//! | `unreachable`, with which every panic ends: a wrong index, a division by zero, a failed allocation | there is none |
//! | calls through a table | there are none, and no table of functions |
//! | conversions of floats that do not fit | only conversions that saturate |
//! | division of integers, by 0 and of the smallest by -1 | only by a constant, which stands right before it |
//! | unbounded frames on the engine's stack | there is no recursion |
//! | the stack that the compiler keeps in memory: an engine that ends a call does not move its pointer back | no global variable is read or written |
//! | `memory.grow`, which does not trap, but takes memory for good, and makes the views of JavaScript useless | there is none |
//! | loads and stores outside the memory | see below |
//! | everything else, known or not | not on the list ([`instructions`]), so refused |
//!
//! The audit cannot tell a correct address of a load, store, copy or fill from a wrong one. Rust
//! can: in safe code, an access is valid, or a check fails, and then there is a panic and so an
//! `unreachable`. The lint `unsafe_code` is denied in the whole workspace, with one exception,
//! `src/wasm/raw.rs`, which says why it is sound; a test below reads the sources for others. For
//! that one, `tests/core/wasm/` calls every export with indices, lengths and counts at and past
//! their bounds.
//!
//! The only import is JavaScript, `js/core/entropy.ts`. Only the export `refill` calls it
//! (`src/wasm/entropy.rs`), and never in the middle of something: the source of randomness may call
//! the module, throw, or be cut off.

mod instructions;
mod module;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use self::instructions::problem;
use self::module::Module;

/// The one export that may call the import.
const CALLS_OUT: &str = "refill";

/// The problems with their functions, if any, and how often each was found.
type Problems = BTreeMap<(Option<u32>, String), u32>;

/// The result of examining a module.
struct Findings {
    functions: usize,
    exports: usize,
    imports: Vec<String>,
    problems: Problems,
    /// The functions with problems: their names, if the module has them, and the exports that lead
    /// there.
    culprits: BTreeMap<u32, String>,
}

/// Prints one line about `module`, or fails with the problems and their functions. `named`: the
/// same module before its names were removed.
pub fn run(module: &Path, named: &Path) -> Result<()> {
    let read = |path: &Path| -> Result<(usize, Findings)> {
        let bytes = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let findings = examine(&bytes).with_context(|| format!("{} is not sound", path.display()))?;
        Ok((bytes.len(), findings))
    };
    let (size, findings) = read(module)?;
    let (_, known) = read(named)?;
    ensure!(
        findings.problems == known.problems && findings.functions == known.functions,
        "{} and {} are not the same module",
        module.display(),
        named.display()
    );
    if !known.problems.is_empty() {
        bail!("the module can trap, or grow:{}", list(&known)?);
    }
    let Findings { functions, exports, imports, .. } = findings;
    println!("{size} bytes, {functions} functions, {exports} exports, imports: {}", imports.join(", "));
    Ok(())
}

/// One line for each problem.
fn list(findings: &Findings) -> Result<String> {
    let mut list = String::new();
    for ((function, what), count) in &findings.problems {
        match function.and_then(|function| findings.culprits.get(&function)) {
            Some(culprit) => write!(list, "\n  {count} x {what} in {culprit}")?,
            None => write!(list, "\n  {what}")?,
        }
    }
    Ok(list)
}

fn examine(bytes: &[u8]) -> Result<Findings> {
    let module = Module::read(bytes)?;
    let mut problems = Problems::new();
    for (number, body) in module.numbered() {
        let before = std::iter::once(None).chain(body.iter().map(Some));
        for what in body.iter().zip(before).filter_map(|(operator, before)| problem(operator, before)) {
            *problems.entry((Some(number), what)).or_default() += 1;
        }
    }
    check_import(&module, &mut problems);
    for (number, _) in module.numbered().filter(|&(number, _)| module.led_to(number).contains(&number)) {
        problems.insert((Some(number), "recursion".to_owned()), 1);
    }
    if module.tables_of_functions > 0 {
        problems.insert((None, "a table of functions".to_owned()), 1);
    }
    let culprits = problems.keys().filter_map(|&(function, _)| function);
    let culprits = culprits.map(|function| (function, described(&module, function))).collect();
    let Module { functions, roots, imports, .. } = &module;
    Ok(Findings { functions: functions.len(), exports: roots.len(), imports: imports.clone(), problems, culprits })
}

/// A function's name, and the exports that lead to it.
fn described(module: &Module<'_>, function: u32) -> String {
    let ways = module.ways_to(function);
    let ways = if ways.is_empty() { "which no export reaches".to_owned() } else { format!("from {}", ways.join(", ")) };
    format!("{}, {ways}", module.names.get(&function).map_or("(without a name)", String::as_str))
}

/// The import may be called only where nothing is half done.
fn check_import(module: &Module<'_>, problems: &mut Problems) {
    for (import, name) in (0..).zip(module.imports.iter().take(module.imported as usize)) {
        for way in module.ways_to(import).into_iter().filter(|&way| way != CALLS_OUT) {
            problems.insert((None, format!("the import {name}, called from {way}")), 1);
        }
    }
}
