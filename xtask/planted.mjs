// Tests the audit. Plants code that could trap or grow in copies of the core, and builds each copy: the audit must refuse it
// and name the reason. It must also pass the unchanged core.

import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { audit, bind, compileCore, optimise, placesOf } from "./build.mjs";
import { Failed, fromRoot, runAsProgram, targetDir } from "./lib/process.mjs";
import { say, step } from "./lib/progress.mjs";

/** The files that the core's build needs. */
const PARTS = [
  "Cargo.toml",
  "Cargo.lock",
  "rust-toolchain.toml",
  join(".cargo", "config.toml"),
  "src",
  join("bench", "core.rs"),
  join("xtask", "Cargo.toml"),
  join("xtask", "src"),
];

/** The export that gets the planted code. It takes a number and returns a number. */
const CARRIER = "tick";
const HEAD = new RegExp(`fn ${CARRIER}\\((\\w+): f64\\) -> u32 \\{`);

/** Rust statements, with the number as `given`; and the refusal that the audit must report. */
const PLANTS = [
  {
    name: "a panic on one number of all",
    code: (given) => `if ${given} == 123.25 { panic!("planted") }`,
    refusal: /unreachable in/,
  },
  {
    name: "an index out of bounds",
    code: (given) => `if [1, 2, 3][${given} as usize] == ${given} as u32 { return 9; }`,
    refusal: /unreachable in/,
  },
  {
    name: "an unwrapped nothing",
    code: (given) => `if char::from_u32(${given} as u32).unwrap() == 'x' { return 9; }`,
    refusal: /unreachable in/,
  },
  {
    name: "an integer division by a variable",
    code: (given) => `if 1_000 / (${given} as u32) == 77 { return 9; }`,
    refusal: /unreachable in/,
  },
  {
    name: "an integer division that checks for zero first",
    code: (given) => `if (1_000_u32).checked_div(${given} as u32) == Some(77) { return 9; }`,
    refusal: /i32_div_u by a variable/,
  },
  {
    name: "a list that grows",
    code: (given) => `
      let mut list = Vec::new();
      while list.len() < ${given} as usize { list.push(${given} - list.len() as f64); }
      if list.iter().sum::<f64>() == 77.0 { return 9; }`,
    // The allocator always fails (src/wasm/no_alloc.rs), so the audit finds the failure.
    refusal: /unreachable in alloc.*handle_alloc_error/,
  },
  {
    name: "memory that grows",
    code: (given) => `
      if ${given} == 7.0 && core::arch::wasm32::memory_grow::<0>(1) == 77 { return 9; }`,
    refusal: /memory_grow/,
  },
  {
    name: "a function that calls itself",
    code: (given) => `
      #[inline(never)]
      fn again(left: f64) -> f64 { if left < 1.0 { 0.0 } else { again(left / 2.0).sqrt() + again(left / 3.0) } }
      if again(${given}) == 77.0 { return 9; }`,
    refusal: /recursion in/,
  },
];

const home = join(targetDir, "planted");
const places = placesOf(join(home, "source"), join(home, "target"));

/** The file that has the carrier function, and its text. */
function findCarrier() {
  const directory = join(places.source, "src");
  const files = readdirSync(directory, { recursive: true }).map((name) => join(directory, name));
  for (const file of files.filter((name) => name.endsWith(".rs"))) {
    const text = readFileSync(file, "utf8");
    if (HEAD.test(text)) return { file, text };
  }
  throw new Error(`src/ has no function ${HEAD}, which gets the planted code`);
}

async function buildModule(onLine) {
  await compileCore(places, onLine);
  await bind(places);
  await optimise(places);
  return audit(places);
}

/** Plants one piece of code. Resolves to the line of the audit that refuses it. */
async function plant({ file, text }, { name, code, refusal }, onLine) {
  writeFileSync(
    file,
    text.replace(HEAD, (head, given) => `${head}\n${code(given)}\n`),
  );
  let said;
  try {
    said = await buildModule(onLine);
  } catch (error) {
    // If an earlier step fails, the planted code itself is wrong.
    if (!(error instanceof Failed) || !error.output.includes("can trap, or grow")) throw error;
    const lines = error.output.split("\n").map((line) => line.trim());
    const line = lines.find((line) => refusal.test(line) && line.match(/from (.*)$/)?.[1].includes(CARRIER));
    if (line !== undefined) return line;
    said = error.output;
  }
  throw new Error(
    `${name} was planted in ${CARRIER}, but the audit does not refuse it as ${refusal}:\n${said}`,
  );
}

/** Needs the build helper: call `build` first. */
export async function planted() {
  rmSync(places.source, { recursive: true, force: true });
  mkdirSync(places.source, { recursive: true });
  for (const part of PARTS) cpSync(fromRoot(part), join(places.source, part), { recursive: true });
  await step("the unchanged core", buildModule);
  const carrier = findCarrier();
  for (const one of PLANTS) await step(one.name, (onLine) => plant(carrier, one, onLine));
  say(`  ${PLANTS.length} plants, all refused`);
}

await runAsProgram(import.meta.url, planted);
