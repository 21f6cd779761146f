/**
 * The core as WebAssembly. `graupel/pure` has the core of js/core/javascript.ts in this place (xtask/lib/bundle.mjs); both are made
 * from one module.
 */
import { GraupelError } from "../errors.js";
import type { InitOutput as Exports } from "../generated/core.js";
import { text } from "../generated/module.js";

/** What the core calls, as src/wasm/entropy.rs names it: fills a part of its memory with random bytes, and returns whether that worked. */
export interface Imports {
  readonly js: { readonly fill_entropy: (pointer: number, length: number) => boolean };
}

/**
 * Reads the module's bytes from the text that the build has written (`pack` in xtask/build.mjs). A byte below 88 is one of the characters
 * from "$" to "{", beginning with "d" for 0: most bytes are small, and gzip has one table for this text and the code around it, which has
 * more small letters than signs. A "}" before it adds 88. So a byte always has the same text: base64 would be simpler, but gzip output would
 * be 1,400 bytes larger, and with hexadecimal digits 500.
 */
function unpack(text: string): Uint8Array<ArrayBuffer> {
  const PAGE = 88;
  const ZERO = 100 - PAGE;
  const NEXT_PAGE = 125;
  const bytes = new Uint8Array(text.length);
  let end = 0;
  let page = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === NEXT_PAGE) {
      page += PAGE;
    } else {
      bytes[end++] = page + ((code - ZERO) % PAGE);
      page = 0;
    }
  }
  return bytes.subarray(0, end);
}

/** Starts the core. Errors: `CORE` where the platform has no WebAssembly or forbids it. */
export function start(imports: Imports): Exports {
  try {
    const module = new WebAssembly.Module(unpack(text));
    const instance = new WebAssembly.Instance(module, imports as unknown as WebAssembly.Imports);
    return instance.exports as unknown as Exports;
  } catch (cause) {
    // The engine's own words tell the cases apart: a policy, a ban by the host, a limit on the main thread, no WebAssembly.
    const help = "allow 'wasm-unsafe-eval' or import graupel/pure";
    const error = new GraupelError("CORE", `no WebAssembly (${cause}); ${help}`);
    // Not enumerable, as the `cause` of an Error's options is not.
    throw Object.defineProperty(error, "cause", { value: cause });
  }
}

/** No process becomes a snapshot: V8 keeps no WebAssembly in one. */
export const afterCloning = (_redraw: () => void): void => {};
