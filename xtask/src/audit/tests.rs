//! Tests each rule on small modules that keep or break it. `xtask/planted.mjs` breaks them with
//! Rust code.

use std::fs;
use std::path::{Path, PathBuf};

use super::{examine, list};

/// The report about a module with this content; a function in it exports itself as "open".
#[track_caller]
fn refuses(text: &str, expected: &[&str]) {
    let module = wat::parse_str(format!("(module {text})")).expect("a module");
    let said = list(&examine(&module).expect("a sound module")).expect("a string");
    let said: Vec<&str> = said.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    assert_eq!(said, expected, "{text}");
}

/// The report about a function with this body, two parameters and two spare locals. `what`: the
/// expected problems with their numbers.
#[track_caller]
fn in_function(body: &str, what: &[&str]) {
    let expected: Vec<String> = what.iter().map(|what| format!("{what} in f, from open")).collect();
    let text = format!(
        "(memory 1) (data $d \"x\") (global $sp (mut i32) (i32.const 4096))
         (func $f (export \"open\") (param $a i32) (param $b i32) (local $x i32) (local $y i32) {body})"
    );
    refuses(&text, &expected.iter().map(String::as_str).collect::<Vec<_>>());
}

#[test]
fn instructions() {
    for (body, what) in [
        ("(local.set $x (i32.add (local.get $a) (i32.load (local.get $b))))", None),
        ("(drop (i32.trunc_sat_f64_u (f64.convert_i32_u (local.get $a))))", None),
        ("(drop (i64.extend8_s (i64.load32_u (local.get $a)))) (f64.store (local.get $b) (f64.const 1))", None),
        ("(loop $again (br_if $again (i32.eqz (local.get $a))))", None),
        ("(memory.copy (local.get $a) (local.get $b) (i32.const 68))", None),
        ("(memory.fill (local.get $a) (i32.const 0) (i32.const 512))", None),
        ("(memory.copy (i32.const 0) (i32.const 8) (local.get $a))", Some("1 x memory_copy of a variable length")),
        ("(memory.fill (i32.const 0) (i32.const 0) (local.get $a))", Some("1 x memory_fill of a variable length")),
        ("(memory.init $d (i32.const 0) (i32.const 0) (i32.const 1))", Some("1 x memory_init")),
        ("(drop (memory.grow (i32.const 1)))", Some("1 x memory_grow")),
        ("(if (local.get $a) (then unreachable))", Some("1 x unreachable")),
        // Also in unreachable code, which is not needed.
        ("(return) (unreachable)", Some("1 x unreachable")),
        ("(drop (i32.trunc_f32_s (f32.const 1)))", Some("1 x i32_trunc_f32_s")),
        ("(drop (i64.trunc_f64_s (f64.const 1)))", Some("1 x i64_trunc_f64_s")),
        // An instruction that no list contains.
        ("(drop (i8x16.splat (local.get $a)))", Some("1 x i8x16_splat")),
        ("(call $f (local.get $a) (local.get $b))", Some("1 x recursion")),
    ] {
        in_function(body, what.as_slice());
    }
    // A call that is cut off would leave it moved.
    in_function("(global.set $sp (global.get $sp))", &["1 x global_get", "1 x global_set"]);
}

#[test]
fn divisions() {
    for name in ["div_s", "div_u", "rem_s", "rem_u"] {
        let problem = format!("1 x i32_{name} by a variable, or by what traps");
        for (divisor, traps) in [
            ("(i32.const 10)", false),
            ("(i32.const -1)", name.ends_with('s')),
            ("(i32.const 0)", true),
            ("(local.get $b)", true),
            ("(i32.add (local.get $b) (i32.const 1))", true),
            // A local that has just been set is not a constant: the audit does not track values.
            ("(local.tee $x (i32.const 5))", true),
        ] {
            let what: &[&str] = if traps { &[&problem] } else { &[] };
            in_function(&format!("(drop (i32.{name} (local.get $a) {divisor}))"), what);
        }
        in_function(&format!("(drop (i64.{name} (i64.const 7) (i64.const 3)))"), &[]);
    }
}

#[test]
fn calls() {
    refuses(
        "(table 1 funcref) (elem (i32.const 0) $f) (func $f (export \"f\") (call_indirect (i32.const 0)))",
        &["a table of functions", "1 x call_indirect in f, from f"],
    );
    refuses(
        "(table $t 1 externref) (func $f (export \"f\") (drop (table.grow $t (ref.null extern) (i32.const 1))))",
        &["1 x ref_null in f, from f", "1 x table_grow in f, from f"],
    );
    refuses(
        "(func $f (export \"f\") (call $g)) (func $g (call $h)) (func $h (call $g))",
        &["1 x recursion in g, from f", "1 x recursion in h, from f"],
    );
    for (name, expected) in [("refill", &[][..]), ("open", &["the import fill, called from open"])] {
        let import = "(import \"e\" \"fill\" (func $fill)) (func $between (call $fill))";
        refuses(&format!("{import} (func (export \"{name}\") (call $between)) (func (export \"next\"))"), expected);
    }
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
    // A module that is not in this list must not contain the word.
    let found: Vec<_> = files(&root.join("src"))
        .into_iter()
        .filter_map(|path| {
            let text = fs::read_to_string(&path).expect("a text");
            let exceptions = text.matches("(unsafe_code").count() - text.matches("forbid(unsafe_code").count();
            let has = exceptions > 0 || text.contains("unsafe ") || text.contains("#[unsafe(");
            has.then(|| (path.file_name().map(ToOwned::to_owned), exceptions))
        })
        .collect();
    assert_eq!(found, [(Some("raw.rs".into()), 1)]);
}
