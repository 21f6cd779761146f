// Translates the shipped module to JavaScript, for platforms without WebAssembly or with a policy
// against it.

import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Refusal, run, tool } from "./process.mjs";

/** The module's features. wasm2js fails with `-all`, so each is named. */
const FEATURES = [
  "bulk-memory",
  "bulk-memory-opt",
  "sign-ext",
  "nontrapping-float-to-int",
  "mutable-globals",
  "multivalue",
].map((name) => `--enable-${name}`);
/**
 * Lowers instructions that wasm2js does not support. The first flag replaces saturation by 0, so no
 * infinity may reach the core.
 */
const LOWER = ["--llvm-nontrapping-fptoint-lowering", "--signext-lowering"];
/**
 * `-Oz` saves no bytes and is slower. With these features, a copy of memory becomes one call of
 * `copyWithin`, which cannot be interrupted.
 */
const TRANSLATE = ["--enable-bulk-memory", "--enable-bulk-memory-opt", "--enable-mutable-globals", "-O3"];

/**
 * The start and the end of wasm2js's output. This code starts the core at once, with its own
 * import.
 */
const IMPORT = "import * as js from 'js';";
const START = "var retasmFunc = asmFunc({";

/**
 * Code of wasm2js that can grow the memory, which the module never does, and property descriptors
 * that would read a polluted `Object.prototype`.
 */
const GROWTH = / function __wasm_memory_size\(\) \{.*?(?= return \{\n)/s;
const MEMORY = /Object\.create\(Object\.prototype, \{.*?\}\s*\}\s*\)/s;

/**
 * Resolves to an ES module with one function, `translated`, which takes the imports and returns the
 * exports. `module`: the path of the WebAssembly module.
 */
export async function translate(module, directory) {
  const [lowered, written] = ["lowered.wasm", "translated.js"].map((name) => join(directory, name));
  await run(tool(join("binaryen", "bin", "wasm-opt")), [...FEATURES, ...LOWER, module, "-o", lowered]);
  await run(tool(join("binaryen", "bin", "wasm2js")), [...TRANSLATE, lowered, "-o", written]);
  const text = readFileSync(written, "utf8");
  for (const file of [lowered, written]) rmSync(file);
  if (!(text.startsWith(IMPORT) && text.includes(START) && GROWTH.test(text) && MEMORY.test(text)))
    throw new Refusal("The output of wasm2js has an unexpected form.");
  const core = text
    .slice(IMPORT.length, text.indexOf(START))
    .replace(GROWTH, "")
    .replace(MEMORY, "{ buffer }");
  // Import esbuild on demand, because it is not installed before the setup.
  const { transform } = await import("esbuild");
  const { code } = await transform(`export function translated(imports) {${core}return asmFunc(imports);}`, {
    minify: true,
  });
  return code;
}
