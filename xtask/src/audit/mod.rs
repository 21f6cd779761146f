//! A trap would make the module unusable for the whole process. So the shipped module must not be able to trap, and must grow only
//! with the number of live identities. The audit checks the finished instructions, after all optimisers.
//!
//! | what can trap or grow, by the specification | what the audit demands |
//! | --- | --- |
//! | `unreachable`, with which every panic ends: a wrong index, a division by zero, a failed allocation | there is none |
//! | calls through a table | there are none, and no table of functions |
//! | conversions of floats that do not fit | only conversions that saturate |
//! | division of integers, by 0 and of the smallest by -1 | only by values that are certainly safe constants ([`flow`]) |
//! | unbounded frames on the engine's stack | there is no recursion ([`calls`]) |
//! | frames on the stack that the compiler keeps in memory | the deepest chain of calls fits ([`flow`], [`calls`]) |
//! | `memory.grow`, which does not trap, but takes memory for good | at most one, of one page, reached only through [`GROWS`] |
//! | loads and stores outside the memory | see below |
//! | everything else, known or not | not on the list ([`instructions`]), so refused |
//!
//! The audit cannot tell a correct address of a load, store, copy or fill from a wrong one. Rust can: in safe code an
//! access is to a place that exists, or a check fails, which is a panic and so an `unreachable`. The lint `unsafe_code`
//! is denied in the whole workspace, with three exceptions: `src/wasm/memory.rs`, which makes all pointers from the
//! constants of `src/abi.rs` and from indices that it checks; the symbol that getrandom calls in `src/wasm/entropy.rs`;
//! and the allocator that always fails in `src/wasm/no_alloc.rs`. A test below compares this list with the sources. For
//! these three, `tests/wasm/` calls every export with indices, lengths and counts at and past their bounds.
//!
//! The caller of [`GROWS`] decides how often memory grows: once for each page of new slots, which `tests/js/memory/main.ts` checks.
//! The only import is JavaScript, `js/core/entropy.ts`, which never calls the module and never throws.

mod calls;
mod flow;
mod instructions;
mod module;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use self::calls::{Calls, Cycle};
use self::flow::{Facts, walk};
use self::instructions::{allowed, shape};
use self::module::Module;

/// The one export that may grow the memory: it makes room for a generator.
const GROWS: &str = "open";

/// Bytes below the stack's room: the optimiser takes them for unused (xtask/build.mjs, `--low-memory-unused`).
const UNUSED: i64 = 1024;

/// The problems, with their functions if they are in one; and how often each was found.
type Problems = BTreeMap<(Option<u32>, String), u32>;

/// The findings in a module.
struct Findings {
    functions: usize,
    exports: usize,
    imports: Vec<String>,
    /// Bytes of the stack in memory: at most used, and available.
    stack: (i64, i64),
    problems: Problems,
    /// The functions with problems: their names, if the module has them, and the exports that lead there.
    culprits: BTreeMap<u32, String>,
}

/// Prints one line about `module`, or fails with the problems and their functions.
/// `named` is the same module before its names were removed.
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
    let Findings { functions, exports, imports, stack: (used, there), .. } = findings;
    println!(
        "{size} bytes, {functions} functions, {exports} exports, at most {used} of {there} bytes of stack, imports: {}",
        imports.join(", "),
    );
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
    let facts: BTreeMap<u32, Facts> =
        module.numbered().map(|(number, function)| (number, walk(&module, function))).collect();
    let calls = Calls::new(&module, &facts);
    let mut problems = Problems::new();
    for (number, function) in module.numbered() {
        let names = function.body.iter().map(|operator| shape(operator).name);
        let refused = names.filter(|name| !allowed(name)).map(str::to_owned);
        for what in refused.chain(facts[&number].refused.values().cloned()) {
            *problems.entry((Some(number), what)).or_default() += 1;
        }
    }
    check_growth(&facts, &calls, &mut problems);
    let stack = check_stack(&module, &calls, &mut problems);
    if module.tables_of_functions > 0 {
        problems.insert((None, "a table of functions".to_owned()), 1);
    }
    let culprits = problems.keys().filter_map(|&(function, _)| function);
    let culprits = culprits.map(|function| (function, described(&module, &calls, function))).collect();
    let Module { functions, roots, imports, .. } = &module;
    Ok(Findings {
        functions: functions.len(),
        exports: roots.len(),
        imports: imports.clone(),
        stack,
        problems,
        culprits,
    })
}

/// A function's name, and the exports that lead to it.
fn described(module: &Module<'_>, calls: &Calls<'_>, function: u32) -> String {
    let ways = calls.ways_to(function);
    let ways = if ways.is_empty() { "which no export reaches".to_owned() } else { format!("from {}", ways.join(", ")) };
    format!("{}, {ways}", module.names.get(&function).map_or("(without a name)", String::as_str))
}

fn check_growth(facts: &BTreeMap<u32, Facts>, calls: &Calls<'_>, problems: &mut Problems) {
    let growing: Vec<u32> =
        facts.iter().flat_map(|(&function, facts)| facts.grows.iter().map(move |_| function)).collect();
    for &function in &growing {
        if growing.len() > 1 {
            *problems.entry((Some(function), "memory_grow, which stands more than once".to_owned())).or_default() += 1;
        }
        if calls.ways_to(function).iter().any(|&way| way != GROWS) {
            problems.insert((Some(function), format!("memory_grow, which not only {GROWS} leads to")), 1);
        }
    }
}

/// The stack in memory: at most used, and available bytes.
fn check_stack(module: &Module<'_>, calls: &Calls<'_>, problems: &mut Problems) -> (i64, i64) {
    let mut found = |function, what: &str| {
        problems.insert((function, what.to_owned()), 1);
    };
    let mut variables = module.globals.iter().filter(|(kind, _)| kind.mutable);
    let first = variables.next().map_or(Some(0), |&(_, first)| first);
    if first.is_none() || variables.next().is_some() {
        found(None, "a global variable that is no stack pointer");
    }
    let there = first.unwrap_or(0);
    // The linker puts the stack first (`--stack-first`), so that it ends at 0 and not in other data.
    if module.lowest_data.is_some_and(|lowest| lowest < there) {
        found(None, "data in the place of the stack");
    }
    let used = match calls.stack() {
        Ok(used) => used,
        Err(Cycle(functions)) => {
            for function in functions {
                found(Some(function), "recursion");
            }
            0
        }
    };
    let room = i64::max(i64::from(there) - UNUSED, 0);
    if used > room {
        found(None, &format!("calls so deep that they take {used} of {room} bytes of stack"));
    }
    (used, room)
}
