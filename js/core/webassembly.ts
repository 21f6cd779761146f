/**
 * The core as WebAssembly. `graupel/pure` has the core of js/core/javascript.ts in this place (xtask/lib/bundle.mjs); both are made
 * from one module.
 */
import { GraupelError } from "../errors.js";
import type { InitOutput as Exports } from "../generated/core.js";
import { digits, frequent, text } from "../generated/module.js";
import { unpack } from "./unpack.js";

/** What the core calls: fills a part of its memory with random bytes, and returns whether that worked. */
export interface Imports {
  readonly $entropy: { readonly $entropy: (pointer: number, length: number) => boolean };
}

/** What engines say in the platforms' cases; the engine's own words are in the message, too. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/polic|csp/i, "a Content-Security-Policy forbids it; allow 'wasm-unsafe-eval'"],
  [/embedder/, "this host forbids it"],
  [/main thread/, "this browser forbids it on the main thread; use a worker"],
];

/** Starts the core. Errors: `CORE` where the platform has no WebAssembly or forbids it. */
export function start(imports: Imports): Exports {
  try {
    const module = new WebAssembly.Module(unpack(text, digits, frequent));
    const instance = new WebAssembly.Instance(module, imports as unknown as WebAssembly.Imports);
    return instance.exports as unknown as Exports;
  } catch (cause) {
    const reason = REASONS.find(([words]) => words.test(String(cause)))?.[1] ?? "this platform lacks it";
    const error = new GraupelError("CORE", `no WebAssembly: ${reason}, or import "graupel/pure" (${cause})`);
    error.cause = cause;
    throw error;
  }
}
