// Tests the audit. Plants exports that could trap or grow in a copy of the core, and builds it: the
// audit must report each of them with its reason. The build has audited the unchanged core.

import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compileCore, finish, placesOf } from "./build.mjs";
import { copyWorkspace, Failed, runAsProgram, targetDir } from "./lib/process.mjs";
import { say, step } from "./lib/progress.mjs";

/** The file that gets the planted exports. */
const CARRIER = join("src", "wasm", "format_calls.rs");

/**
 * The mistakes: their names, the message that the audit must report, and Rust statements, in which
 * `given` is the caller's number.
 */
const PLANTS = [
  ["a panic on one number of all", /unreachable in/, `if given == 123.25 { panic!("planted") }`],
  ["an index out of bounds", /unreachable in/, "if [1, 2, 3][given as usize] == given as u32 { return 9; }"],
  ["an unwrapped None", /unreachable in/, "if char::from_u32(given as u32).unwrap() == 'x' { return 9; }"],
  ["an integer division by a variable", /unreachable in/, "if 1_000 / (given as u32) == 77 { return 9; }"],
  [
    "an integer division that checks for zero first",
    /i32_div_u by a variable/,
    "if (1_000_u32).checked_div(given as u32) == Some(77) { return 9; }",
  ],
  [
    "a list that grows",
    // The allocator always fails (src/wasm/raw.rs), so the audit finds the failure.
    /unreachable in alloc.*handle_alloc_error/,
    `let mut list = Vec::new();
    while list.len() < given as usize { list.push(given - list.len() as f64); }
    if list.iter().sum::<f64>() == 77.0 { return 9; }`,
  ],
  [
    "memory that grows",
    /memory_grow/,
    "if given == 7.0 && core::arch::wasm32::memory_grow::<0>(1) == 77 { return 9; }",
  ],
  [
    "an array on the stack in memory",
    /global_get in/,
    `let mut parts = [given; 5];
    core::hint::black_box(&mut parts);
    if parts[2] == 77.5 { return 9; }`,
  ],
  [
    "a call of the source of randomness",
    /the import .*fill.*, called from/,
    "if super::entropy::refill().number() == given as u32 { return 9; }",
  ],
  [
    "a function that calls itself",
    /recursion in/,
    `#[inline(never)]
    fn again(left: f64) -> f64 { if left < 1.0 { 0.0 } else { again(left / 2.0).sqrt() + again(left / 3.0) } }
    if again(given) == 77.0 { return 9; }`,
  ],
];

const home = join(targetDir, "planted");
const places = placesOf(join(home, "source"), join(home, "target"));

const exported = (index) => `planted_${index}`;

/** Returns an export with the planted code. */
const plant = ([, , code], index) => `
#[wasm_bindgen]
pub fn ${exported(index)}(given: f64) -> u32 {
  ${code}
  0
}
`;

/** Builds the core with all plants. Resolves to the output of the audit. */
async function refusals(onLine) {
  const file = join(places.source, CARRIER);
  writeFileSync(file, readFileSync(file, "utf8") + PLANTS.map(plant).join(""));
  try {
    await compileCore(places, onLine);
    return await finish(places);
  } catch (error) {
    // If an earlier step fails, the planted code itself is wrong.
    if (!(error instanceof Failed) || !error.output.includes("can trap, or grow")) throw error;
    return error.output;
  }
}

/** The line of the audit that reports a plant. */
function refusalOf([name, refusal], index, said) {
  const own = new RegExp(`from .*\\b${exported(index)}\\b`);
  const line = said.split("\n").find((one) => refusal.test(one) && own.test(one));
  if (line === undefined)
    throw new Error(
      `${name} was planted in ${exported(index)}, but the audit does not refuse it as ${refusal}:\n${said}`,
    );
  return line.trim();
}

/** Copies the dependencies with their times, so that cargo does not compile them again. */
function copyDependencies() {
  for (const path of ["release", join("wasm32-unknown-unknown", "release")]) {
    const options = { recursive: true, preserveTimestamps: true };
    cpSync(join(targetDir, path), join(places.target, path), options);
  }
}

/** Needs the build helper: call `build` first. */
export async function planted() {
  await copyWorkspace(places.source);
  if (!existsSync(places.target)) copyDependencies();
  let said = "";
  await step("the core with all plants", async (onLine) => {
    said = await refusals(onLine);
  });
  for (const [index, one] of PLANTS.entries()) say(`  ${one[0]}: ${refusalOf(one, index, said)}`);
  say(`  ${PLANTS.length} plants, all refused`);
}

await runAsProgram(import.meta.url, planted);
