// The audit of the WebAssembly module, on Rust code. Exports that could trap or grow memory are
// planted in a copy of the core, which is then built. The audit must report each with its reason.
// The build itself has audited the unchanged core.

import assert from "node:assert/strict";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { copyWorkspace } from "../../support/workspace.mjs";

interface Places {
  readonly source: string;
  readonly target: string;
}
const { compileCore, finish, placesOf } = (await import(
  new URL("../../../xtask/build.mjs", import.meta.url).href
)) as {
  compileCore(places: Places): Promise<void>;
  finish(places: Places): Promise<string>;
  placesOf(source: string, target: string): Places;
};
const { targetDir } = (await import(new URL("../../../xtask/lib/process.mjs", import.meta.url).href)) as {
  targetDir: string;
};

/** The file that gets the planted exports. */
const CARRIER = join("src", "wasm", "format_calls.rs");

/**
 * The mistakes: the message that the audit must report, and Rust statements, in which `given` is
 * the caller's number.
 */
const PLANTS: Record<string, [report: RegExp, code: string]> = {
  "a panic on one number of all": [/unreachable in/, `if given == 123.25 { panic!("planted") }`],
  "an index out of bounds": [/unreachable in/, "if [1, 2, 3][given as usize] == given as u32 { return 9; }"],
  "an unwrapped None": [/unreachable in/, "if char::from_u32(given as u32).unwrap() == 'x' { return 9; }"],
  "an integer division by a variable": [/unreachable in/, "if 1_000 / (given as u32) == 77 { return 9; }"],
  "an integer division that checks for zero first": [
    /i32\.div_u by a variable/,
    "if (1_000_u32).checked_div(given as u32) == Some(77) { return 9; }",
  ],
  "a list that grows": [
    // The allocator always fails (src/wasm/raw.rs), so the audit reports the failure.
    /unreachable in alloc.*handle_alloc_error/,
    `let mut list = Vec::new();
    while list.len() < given as usize { list.push(given - list.len() as f64); }
    if list.iter().sum::<f64>() == 77.0 { return 9; }`,
  ],
  "memory that grows": [
    /memory\.grow/,
    "if given == 7.0 && core::arch::wasm32::memory_grow::<0>(1) == 77 { return 9; }",
  ],
  "an array on the stack in memory": [
    /global\.get in/,
    `let mut parts = [given; 5];
    core::hint::black_box(&mut parts);
    if parts[2] == 77.5 { return 9; }`,
  ],
  "a call of the source of randomness": [
    /the import .*fill.*, called from/,
    "if super::entropy::refill().number() == given as u32 { return 9; }",
  ],
  "a function that calls itself": [
    /recursion in/,
    `#[inline(never)]
    fn again(left: f64) -> f64 { if left < 1.0 { 0.0 } else { again(left / 2.0).sqrt() + again(left / 3.0) } }
    if again(given) == 77.0 { return 9; }`,
  ],
};
const names = Object.keys(PLANTS);
const exported = (name: string) => `planted_${names.indexOf(name)}`;

/** An export with the planted code. */
const plant = (name: string) => `
#[wasm_bindgen]
pub fn ${exported(name)}(given: f64) -> u32 {
  ${PLANTS[name]?.[1]}
  0
}
`;

/** The audit's report on the core with all planted exports. */
let reported: string[] = [];

before(async () => {
  const home = join(targetDir, "planted");
  const places = placesOf(join(home, "source"), join(home, "target"));
  await copyWorkspace(places.source);
  // Keeps the timestamps of the dependencies, so that cargo does not compile them again.
  if (!existsSync(places.target))
    for (const path of ["release", join("wasm32-unknown-unknown", "release")])
      cpSync(join(targetDir, path), join(places.target, path), { recursive: true, preserveTimestamps: true });
  const file = join(places.source, CARRIER);
  writeFileSync(file, readFileSync(file, "utf8") + names.map(plant).join(""));
  await compileCore(places);
  await assert.rejects(finish(places), ({ message }: Error) => {
    reported = message.split("\n");
    return reported[0] === "the module can trap, or grow:";
  });
});

for (const [name, [report]] of Object.entries(PLANTS)) {
  test(`the audit reports ${name}`, () => {
    const own = new RegExp(`from .*\\b${exported(name)}\\b`);
    assert.ok(
      reported.some((line) => report.test(line) && own.test(line)),
      reported.join("\n"),
    );
  });
}
