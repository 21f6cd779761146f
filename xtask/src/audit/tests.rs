//! Tests each rule on small modules that keep or break it.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Findings, examine, list};

fn findings(text: &str) -> Findings {
    examine(&wat::parse_str(text).expect("a module")).expect("a sound module")
}

/// The report about a module with this content; a function in it exports itself as "open".
#[track_caller]
fn refuses(text: &str, expected: &[&str]) {
    let said = list(&findings(&format!("(module {text})"))).expect("a string");
    let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(said, expected);
}

#[track_caller]
fn passes(text: &str) {
    refuses(text, &[]);
}

/// The same for a function with this body, two parameters and two spare locals.
fn function(body: &str) -> String {
    format!(
        "(memory 1) (global $sp (mut i32) (i32.const 4096))
         (func $f (export \"open\") (param $a i32) (param $b i32) (local $x i32) (local $y i32) {body})"
    )
}

/// A problem of that function.
fn in_f(what: &str) -> String {
    format!("1 x {what} in f, from open")
}

#[test]
fn plain_instructions_pass() {
    passes(&function("(local.set $x (i32.add (local.get $a) (i32.load (local.get $b))))"));
    passes(&function("(drop (i32.trunc_sat_f64_u (f64.convert_i32_u (local.get $a))))"));
    passes(&function("(drop (i64.extend8_s (i64.load32_u (local.get $a)))) (f64.store (local.get $b) (f64.const 1))"));
    passes(&function("(loop $again (br_if $again (i32.eqz (local.get $a))))"));
}

#[test]
fn what_panics_end_in_is_refused() {
    refuses(&function("(if (local.get $a) (then unreachable))"), &[&in_f("unreachable")]);
    // Also in unreachable code, which is not needed.
    refuses(&function("(return) (unreachable)"), &[&in_f("unreachable")]);
}

#[test]
fn conversions_that_trap_are_refused() {
    for name in ["i32.trunc_f32_s", "i32.trunc_f64_u", "i64.trunc_f32_u", "i64.trunc_f64_s"] {
        let (_, from) = name.split_at(10);
        let body = format!("(drop ({name} ({}.const 1)))", &from[..3]);
        refuses(&function(&body), &[&in_f(&name.replacen('.', "_", 1))]);
    }
}

#[test]
fn calls_through_a_table_are_refused() {
    let text = "(table 1 funcref) (elem (i32.const 0) $f) (func $f (export \"f\") (call_indirect (i32.const 0)))";
    refuses(text, &["a table of functions", "1 x call_indirect in f, from f"]);
}

#[test]
fn instructions_that_nobody_has_thought_of_are_refused() {
    let table = "(table $t 1 externref)";
    let body = "(func $f (export \"f\") (drop (table.grow $t (ref.null extern) (i32.const 1))))";
    refuses(&format!("{table} {body}"), &["1 x ref_null in f, from f", "1 x table_grow in f, from f"]);
    refuses(&function("(drop (i8x16.splat (local.get $a)))"), &[&in_f("i8x16_splat")]);
    refuses(
        &function("(memory.init $d (i32.const 0) (i32.const 0) (i32.const 1))")
            .replace("(memory 1)", "(memory 1) (data $d \"x\")"),
        &[&in_f("memory_init")],
    );
}

#[test]
fn divisions_by_constants_pass() {
    for name in ["div_s", "div_u", "rem_s", "rem_u"] {
        passes(&function(&format!("(drop (i32.{name} (local.get $a) (i32.const 10)))")));
        passes(&function(&format!("(drop (i64.{name} (i64.const 7) (i64.const 3)))")));
    }
    passes(&function("(drop (i32.div_u (local.get $a) (i32.const -1)))"));
}

#[test]
fn divisions_that_can_trap_are_refused() {
    for name in ["div_s", "div_u", "rem_s", "rem_u"] {
        let problem = in_f(&format!("i32_{name} by a variable, or by what traps"));
        let by = |divisor: &str| function(&format!("(drop (i32.{name} (local.get $a) {divisor}))"));
        refuses(&by("(local.get $b)"), &[&problem]);
        refuses(&by("(i32.const 0)"), &[&problem]);
        refuses(&by("(i32.add (local.get $b) (i32.const 1))"), &[&problem]);
        // A local that was never set.
        refuses(&by("(local.get $x)"), &[&problem]);
        // Nor a local that has just been set: the audit follows no values.
        refuses(&by("(local.tee $x (i32.const 5))"), &[&problem]);
    }
    refuses(
        &function("(drop (i64.div_s (i64.const 7) (i64.const -1)))"),
        &[&in_f("i64_div_s by a variable, or by what traps")],
    );
}

#[test]
fn memory_that_grows_is_refused() {
    refuses(&function("(drop (memory.grow (i32.const 1)))"), &[&in_f("memory_grow")]);
}

#[test]
fn only_one_export_calls_out() {
    let text = |name: &str| {
        format!(
            "(import \"e\" \"fill\" (func $fill)) (func $between (call $fill))
             (func (export \"{name}\") (call $between)) (func (export \"next\"))"
        )
    };
    passes(&text("refill"));
    refuses(&text("open"), &["the import fill, called from open"]);
}

#[test]
fn copies_of_a_fixed_length_pass() {
    passes(&function("(memory.copy (local.get $a) (local.get $b) (i32.const 68))"));
    passes(&function("(memory.fill (local.get $a) (i32.const 0) (i32.const 512))"));
    refuses(
        &function("(memory.copy (i32.const 0) (i32.const 8) (local.get $a))"),
        &[&in_f("memory_copy of a variable length")],
    );
    refuses(
        &function("(memory.fill (i32.const 0) (i32.const 0) (local.get $a))"),
        &[&in_f("memory_fill of a variable length")],
    );
}

#[test]
fn recursion_is_refused() {
    refuses(&function("(call $f (local.get $a) (local.get $b))"), &[&in_f("recursion")]);
    let text = "(func $f (export \"f\") (call $g)) (func $g (call $h)) (func $h (call $g))";
    refuses(text, &["1 x recursion in g, from f", "1 x recursion in h, from f"]);
}

/// What a call that is cut off would leave moved.
#[test]
fn a_stack_in_memory_is_refused() {
    let frame = "(global.set $sp (i32.sub (global.get $sp) (i32.const 16)))
                 (global.set $sp (i32.add (global.get $sp) (i32.const 16)))";
    refuses(&function(frame), &["2 x global_get in f, from open", "2 x global_set in f, from open"]);
}

#[test]
fn what_is_no_module_is_an_error() {
    assert!(examine(b"\0asm\x01\0\0\0\x0a").is_err());
}

/// The files below a directory.
fn files(directory: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(directory).expect("a directory").map(|entry| entry.expect("an entry").path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The audit's header relies on this: `unsafe` is denied except in the place that it names.
#[test]
fn unsafe_code_stands_where_it_is_known_to() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let manifest = fs::read_to_string(root.join("Cargo.toml")).expect("a manifest");
    assert!(manifest.contains("\nunsafe_code = \"deny\"\n"));
    let count = |path: &Path| {
        let text = fs::read_to_string(path).expect("a text");
        let exceptions = text.matches("(unsafe_code").count() - text.matches("forbid(unsafe_code").count();
        // A module that is not in this list must not contain the word.
        (exceptions, text.contains("unsafe ") || text.contains("#[unsafe("))
    };
    let mut found: Vec<(String, usize)> = files(&root.join("src"))
        .iter()
        .filter_map(|path| match count(path) {
            (0, false) => None,
            (exceptions, _) => Some((path.file_name()?.to_str()?.to_owned(), exceptions)),
        })
        .collect();
    found.sort();
    assert_eq!(found, [("raw.rs".to_owned(), 1)]);
}
