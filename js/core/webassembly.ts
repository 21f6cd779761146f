/**
 * The core as WebAssembly. `graupel/pure` uses js/core/javascript.ts instead
 * (xtask/lib/bundle.mjs). Both come from the same module.
 */
import { GraupelError, thrownText, withCause } from "../errors.js";
import type { InitOutput as Exports } from "../generated/core.js";
import { text } from "../generated/module.js";

/**
 * The import of the core (src/wasm/entropy.rs), which fills a part of its memory with random bytes,
 * and returns whether that worked.
 */
export interface Imports {
  readonly js: { readonly fill_entropy: (pointer: number, length: number) => boolean };
}

/**
 * Unpacks the module's bytes from the text of the build (`pack` in xtask/build.mjs). A byte below
 * 88 is one of the characters from "$" to "{", starting with "d" for 0: most bytes are small, and
 * gzip shares one table between this text and the code around it, which has more small letters than
 * signs. A "}" before the character adds 88. So a byte always has the same text. Base64 would be
 * simpler, but 1,400 bytes larger after gzip, and hexadecimal digits 500 bytes larger.
 */
function unpack(text: string): Uint8Array<ArrayBuffer> {
  const PAGE = 88;
  const ZERO = 100 - PAGE;
  const NEXT_PAGE = 125;
  const bytes = new Uint8Array(text.length);
  let length = 0;
  let page = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === NEXT_PAGE) {
      page += PAGE;
    } else {
      bytes[length++] = page + ((code - ZERO) % PAGE);
      page = 0;
    }
  }
  return bytes.subarray(0, length);
}

/** Starts the core. Errors: `CORE` if the platform has no WebAssembly or forbids it. */
export function start(imports: Imports): Exports {
  try {
    const module = new WebAssembly.Module(unpack(text));
    return new WebAssembly.Instance(module, { ...imports }).exports as unknown as Exports;
  } catch (cause) {
    // The engine's message distinguishes the causes: a policy, a ban by the host, a limit on the
    // main thread, no WebAssembly.
    const help = "allow 'wasm-unsafe-eval' or import graupel/pure";
    throw withCause(new GraupelError("CORE", `no WebAssembly (${thrownText(cause)}); ${help}`), cause);
  }
}
