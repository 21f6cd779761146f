// Checks that the shipped module cannot trap or grow, and that a call that is cut off cannot leave
// a moved stack pointer behind. A trap would make the module unusable for the whole process. The
// audit reads the finished instructions, after all optimisers.
//
// | what can trap or grow, by the specification | what the audit demands |
// | --- | --- |
// | `unreachable`, with which every panic ends: a wrong index, a division by zero, a failed allocation | there is none |
// | calls through a table | there are none, and no table of functions |
// | conversions of floats that do not fit | only conversions that saturate |
// | division of integers, by 0 and of the smallest by -1 | only by a constant, which stands right before it |
// | unbounded frames on the engine's stack | there is no recursion |
// | the stack that the compiler keeps in memory: an engine that ends a call does not move its pointer back | no global variable is read or written |
// | `memory.grow`, which does not trap, but takes memory for good, and makes the views of JavaScript useless | there is none |
// | loads and stores outside the memory | see below |
// | everything else, known or not | not on the list (`PLAIN`), so rejected |
//
// The audit cannot tell a correct address of a load, store, copy or fill from a wrong one. Rust
// can: in safe code, an access is valid, or a check fails, and then there is a panic and so an
// `unreachable`. The lint `unsafe_code` is denied in the whole workspace, with one exception,
// `src/wasm/raw.rs`, which says why it is sound; tests/js/audit reads the sources for others. For
// that one, `tests/core/wasm/` calls every export with indices, lengths and counts at and past
// their bounds.
//
// The only import is JavaScript, `js/entropy.ts`. Only the export `refill` calls it
// (`src/wasm/entropy.rs`), and never in the middle of something: the source of randomness may call
// the module, throw, or be cut off.

import { statSync } from "node:fs";
import { join } from "node:path";
import { Refusal, run, tool } from "./process.mjs";

/** The one export that may call the import. */
const CALLS_OUT = "refill";

/**
 * Instructions that never trap, and loads and stores. From the section "Instructions" of the
 * WebAssembly specification 1.0, and from two later proposals that compilers use: sign extension
 * and saturating conversions.
 */
const PLAIN = [
  ["", "nop block loop if else end br br_if br_table return call drop select"],
  ["local.", "get set tee"],
  [
    "i32. i64.",
    `const eqz eq ne lt_s lt_u gt_s gt_u le_s le_u ge_s ge_u clz ctz popcnt add sub mul and or xor shl shr_s shr_u
    rotl rotr extend8_s extend16_s trunc_sat_f32_s trunc_sat_f32_u trunc_sat_f64_s trunc_sat_f64_u
    load load8_s load8_u load16_s load16_u store store8 store16`,
  ],
  ["i64.", "load32_s load32_u store32 extend_i32_s extend_i32_u extend32_s reinterpret_f64"],
  [
    "f32. f64.",
    `const eq ne lt gt le ge abs neg ceil floor trunc nearest sqrt add sub mul div min max copysign
    convert_i32_s convert_i32_u convert_i64_s convert_i64_u load store`,
  ],
  ["i32.", "wrap_i64 reinterpret_f32"],
  ["f32.", "reinterpret_i32 demote_f64"],
  ["f64.", "reinterpret_i64 promote_f32"],
];
const plain = new Set(
  PLAIN.flatMap(([prefixes, names]) =>
    prefixes.split(" ").flatMap((prefix) => names.split(/\s+/).map((name) => prefix + name)),
  ),
);

/**
 * The problem of an instruction, or undefined if it has none. `before`: the preceding instruction.
 */
function problem(instruction, before = "") {
  const [name] = instruction.split(" ");
  // A constant directly before is the last operand.
  const [, constant] = /^i(?:32|64)\.const (\S+)$/.exec(before) ?? [];
  if (/^i(32|64)\.(div|rem)_[su]$/.test(name)) {
    const traps = constant === undefined || constant === "0" || (constant === "-1" && name.endsWith("s"));
    return traps ? `${name} by a variable, or by what traps` : undefined;
  }
  if (name === "memory.copy" || name === "memory.fill")
    return constant === undefined ? `${name} of a variable length` : undefined;
  return plain.has(name) ? undefined : name;
}

/** Matches a name in the text of a module. */
const NAME = String.raw`(\$"[^"]*"|\$[^\s()]+)`;
const matches = (text, pattern) =>
  [...text.matchAll(new RegExp(pattern, "gm"))].map(([, ...groups]) => groups);

/** Reads a module with binaryen, which prints one instruction per line. */
async function read(path) {
  const print = ["-all", "--generate-stack-ir", "--print-stack-ir"];
  const text = await run(tool(join("binaryen", "bin", "wasm-opt")), [...print, path]);
  const bodies = matches(text, String.raw`^ \(func ${NAME}.*\n([^]*?)^ \)$`);
  const functions = bodies.map(([name, body]) => {
    const lines = body.split("\n").map((line) => line.trim());
    return [name, lines.filter((line) => line !== "" && !line.startsWith("(local "))];
  });
  return {
    imports: matches(text, String.raw`^ \(import "[^"]*" "([^"]*)" \(\w+ ${NAME}`),
    exports: matches(text, String.raw`^ \(export "([^"]*)" \(func ${NAME}\)\)$`),
    starts: matches(text, String.raw`^ \(start ${NAME}\)$`).map(([name]) => ["(start)", name]),
    hasTable: /^ \(elem /m.test(text),
    functions: new Map(functions),
  };
}

/** The functions that a call of a function can reach. An imported function reaches no others. */
function ledTo({ functions }, name) {
  const found = new Set();
  const left = [name];
  for (const caller of left)
    for (const line of functions.get(caller) ?? [])
      if (line.startsWith("call $") && !found.has(line.slice(5))) {
        found.add(line.slice(5));
        left.push(line.slice(5));
      }
  return found;
}

/** The exports that can reach a function. */
const waysTo = (module, name) =>
  [...module.exports, ...module.starts]
    .filter(([, root]) => root === name || ledTo(module, root).has(name))
    .map(([exported]) => exported);

/** The problems of a module, as lines. */
function problemsOf(module) {
  const found = [];
  for (const [imported, name] of module.imports)
    for (const way of waysTo(module, name).filter((one) => one !== CALLS_OUT))
      found.push(`the import ${imported}, called from ${way}`);
  if (module.hasTable) found.push("a table of functions");
  for (const [name, lines] of module.functions) {
    const all = lines.map((line, index) => problem(line, lines[index - 1])).filter(Boolean);
    if (ledTo(module, name).has(name)) all.push("recursion");
    const ways = waysTo(module, name).join(", ");
    const where = `${name.replace(/^\$"?|"$/g, "")}, ${ways === "" ? "which no export reaches" : `from ${ways}`}`;
    for (const what of new Set(all))
      found.push(`${all.filter((one) => one === what).length} x ${what} in ${where}`);
  }
  return found;
}

/** Resolves to the problems of a module in a file, as binary or text. */
export const examine = async (path) => problemsOf(await read(path));

/**
 * Resolves to a line about a module, or rejects with its problems. `named`: the same module before
 * its names were removed.
 */
export async function audit(path, named) {
  const [module, known] = [await read(path), await read(named)];
  const shape = ({ functions }) =>
    String([...functions.values()].flatMap((lines) => ["func", ...lines.map((line) => line.split(" ")[0])]));
  if (shape(module) !== shape(known)) throw new Refusal(`${path} and ${named} are not the same module`);
  const problems = problemsOf(known);
  if (problems.length > 0) throw new Refusal(`the module can trap, or grow:\n  ${problems.join("\n  ")}`);
  const { functions, exports, imports } = module;
  const counts = `${functions.size} functions, ${exports.length} exports`;
  return `${statSync(path).size} bytes, ${counts}, imports: ${imports.map(([name]) => name).join(", ")}`;
}
