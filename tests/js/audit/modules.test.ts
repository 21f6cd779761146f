// The audit of the WebAssembly module, on small modules that keep or break its rules.

import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { root } from "../support/places.ts";

const { examine } = (await import(new URL("../../../xtask/lib/audit.mjs", import.meta.url).href)) as {
  examine(path: string): Promise<string[]>;
};

const folder = mkdtempSync(join(tmpdir(), "graupel-audit-"));
after(() => rmSync(folder, { recursive: true }));

/** The report on a module in a file with this name. */
function reportOf(name: string, content: string): Promise<string[]> {
  const path = join(folder, name);
  writeFileSync(path, content);
  return examine(path);
}

/** Bodies of functions with two parameters and two spare locals, each with its problems. */
const BODIES: [body: string, ...problems: string[]][] = [
  ["(local.set $x (i32.add (local.get $a) (i32.load (local.get $b))))"],
  ["(drop (i32.trunc_sat_f64_u (f64.convert_i32_u (local.get $a))))"],
  ["(drop (i64.extend8_s (i64.load32_u (local.get $a)))) (f64.store (local.get $b) (f64.const 1))"],
  ["(loop $again (br_if $again (i32.eqz (local.get $a))))"],
  ["(memory.copy (local.get $a) (local.get $b) (i32.const 68))"],
  ["(memory.fill (local.get $a) (i32.const 0) (i32.const 512))"],
  ["(memory.copy (i32.const 0) (i32.const 8) (local.get $a))", "memory.copy of a variable length"],
  ["(memory.fill (i32.const 0) (i32.const 0) (local.get $a))", "memory.fill of a variable length"],
  ["(memory.init $d (i32.const 0) (i32.const 0) (i32.const 1))", "memory.init"],
  ["(drop (memory.grow (i32.const 1)))", "memory.grow"],
  ["(if (local.get $a) (then unreachable))", "unreachable"],
  ["(drop (i32.trunc_f32_s (f32.const 1)))", "i32.trunc_f32_s"],
  ["(drop (i64.trunc_f64_s (f64.const 1)))", "i64.trunc_f64_s"],
  // An instruction that is in no list.
  ["(drop (i8x16.splat (local.get $a)))", "i8x16.splat"],
  ["(drop (table.grow $t (ref.null extern) (i32.const 1)))", "ref.null", "table.grow"],
  // If a call were cut off, the stack pointer would stay moved.
  ["(global.set $sp (global.get $sp))", "global.get", "global.set"],
  ...["div_s", "div_u", "rem_s", "rem_u"].flatMap((name): [string, ...string[]][] => {
    const problem = `i32.${name} by a variable, or by what traps`;
    const by = (divisor: string) => `(drop (i32.${name} (local.get $a) ${divisor}))`;
    return [
      [by("(i32.const 10)")],
      [by("(i32.const -1)"), ...(name.endsWith("s") ? [problem] : [])],
      [by("(i32.const 0)"), problem],
      [by("(local.get $b)"), problem],
      [by("(i32.add (local.get $b) (i32.const 1))"), problem],
      // A local that has just been set is not a constant: the audit does not track values.
      [by("(local.tee $x (i32.const 5))"), problem],
      [`(drop (i64.${name} (i64.const 7) (i64.const 3)))`],
    ];
  }),
];

test("the audit reports each instruction that could trap, grow memory or move the stack, and no other", async () => {
  const functions = BODIES.map(
    ([body], n) =>
      `(func $f${n} (export "e${n}") (param $a i32) (param $b i32) (local $x i32) (local $y i32) ${body})`,
  );
  const text = `(module (memory 1) (data $d "x") (table $t 1 externref)
    (global $sp (mut i32) (i32.const 4096)) ${functions.join("\n")})`;
  const expected = BODIES.flatMap(([, ...all], n) => all.map((what) => `1 x ${what} in f${n}, from e${n}`));
  assert.deepEqual(await reportOf("bodies.wat", text), expected);
});

test("the audit reports functions in a table", async () => {
  const table = `(module (table 1 funcref) (elem (i32.const 0) $f)
    (func $f (export "f") (call_indirect (i32.const 0))))`;
  const expected = ["a table of functions", "1 x call_indirect in f, from f"];
  assert.deepEqual(await reportOf("table.wat", table), expected);
});

test("the audit reports recursion, and calls of an import from another export than refill", async () => {
  const modules = `(module (import "js" "fill" (func $fill (result i32)))
    (func $refill (export "refill") (result i32) (call $fill))
    (func $"core::inner<T>" (result i32) (call $fill))
    (func $other (export "other") (result i32) (call $"core::inner<T>"))
    (func $again (export "again") (param $a i32) (if (local.get $a) (then (call $once (i32.const 0)))))
    (func $once (param $a i32) (call $again (local.get $a)))
    (func $"core::panic" unreachable)
    (func $panics (export "panics") (call $"core::panic")))`;
  assert.deepEqual(await reportOf("calls.wat", modules), [
    "the import fill, called from other",
    "1 x recursion in again, from again",
    "1 x recursion in once, from again",
    "1 x unreachable in core::panic, from panics",
  ]);
});

// The audit's header relies on this.
test("unsafe code is denied except in one file", () => {
  assert.match(readFileSync(join(root, "Cargo.toml"), "utf8"), /^unsafe_code = "deny"$/m);
  const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true });
  const found = files.flatMap(({ parentPath, name }) => {
    if (!name.endsWith(".rs")) return [];
    const text = readFileSync(join(parentPath, name), "utf8");
    const exceptions = text.match(/(?<!forbid)\(unsafe_code/g)?.length ?? 0;
    return exceptions > 0 || /\bunsafe |#\[unsafe\(/.test(text) ? [[name, exceptions]] : [];
  });
  assert.deepEqual(found, [["raw.rs", 1]]);
});
