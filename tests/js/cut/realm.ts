/**
 * Fresh copies of the published package in which every call can be cut off: in the module, or where
 * the program enters or leaves it.
 */

import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { emptyRegistry } from "../support/other-process.ts";
import { packageDirectory, root } from "../support/places.ts";

export type Package = typeof import("graupel");

/** The error that a cut throws. The package does not know it. */
class Cut extends Error {}

/** Where calls are cut off: before and after each call of the module, or within it. */
export type Place = "program" | "module";

/**
 * How a call is cut off. A stack overflow is an exception, which handlers see once. After a time
 * limit, no more code runs, not even handlers.
 */
export type Manner = "overflow" | "time limit";

export interface Knife {
  /** Cuts off at the `n`-th step from now. */
  set(place: Place, n: number, manner: Manner): void;
  /** Stops cutting. Returns whether a call was cut off, and if not, how many steps it took. */
  take(): { readonly cut: boolean; readonly steps: number };
}

/** More steps than any call takes. */
export const NEVER = 2 ** 30;

/**
 * The module's features. With all features, wasm-opt writes a module that this Node cannot read.
 */
const FEATURES = ["bulk-memory", "bulk-memory-opt", "sign-ext", "nontrapping-float-to-int"].map(
  (name) => `--enable-${name}`,
);

/**
 * The module with a call of `log_execution` at each end and at the start of each function and
 * iteration, where engines cut calls off.
 */
function instrumented(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const directory = mkdtempSync(join(tmpdir(), "graupel-cut-"));
  const [given, made] = [join(directory, "given.wasm"), join(directory, "made.wasm")];
  try {
    writeFileSync(given, bytes);
    const wasmOpt = join(root, "node_modules", "binaryen", "bin", "wasm-opt");
    execFileSync(process.execPath, [wasmOpt, ...FEATURES, "--log-execution", given, "-o", made]);
    return new Uint8Array(readFileSync(made));
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Loads fresh copies of the package, each with an empty registry, and cuts off their calls. */
export function realm(): { readonly load: () => Package; readonly knife: Knife } {
  let left = 0;
  let fired = false;
  let place: Place = "program";
  let manner: Manner = "overflow";
  let set = 0;
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  const cut = (here: Place) => {
    if ((fired && manner === "time limit") || (here === place && left > 0 && --left === 0)) {
      fired = true;
      throw new Cut("cut off");
    }
  };
  const crossing =
    (call: (...given: unknown[]) => unknown) =>
    (...given: unknown[]) => {
      cut("program");
      const answer = call(...given);
      cut("program");
      return answer;
    };
  const around = {
    Module: class extends WebAssembly.Module {
      constructor(given: Uint8Array) {
        bytes ??= instrumented(given);
        super(bytes);
      }
    },
    Instance: class extends WebAssembly.Instance {
      constructor(module: WebAssembly.Module, { js }: WebAssembly.Imports) {
        super(module, { js: { ...js, log_execution: () => cut("module") } });
        const exports = Object.entries(this.exports).map(([name, value]) => [
          name,
          typeof value === "function" ? crossing(value as never) : value,
        ]);
        Object.defineProperty(this, "exports", { value: Object.fromEntries(exports) });
      }
    },
  };
  return {
    load() {
      emptyRegistry();
      const loaded = new Map<string, { exports: object }>();
      const load = (path: string): object => {
        const known = loaded.get(path);
        if (known !== undefined) return known.exports;
        const module = { exports: {} };
        loaded.set(path, module);
        const require = (other: string) => load(resolve(dirname(path), other));
        const program = new Function(
          "exports",
          "require",
          "module",
          "WebAssembly",
          readFileSync(path, "utf8"),
        );
        program(module.exports, require, module, around);
        return module.exports;
      };
      return load(join(packageDirectory, "dist", "index.cjs")) as Package;
    },
    knife: {
      set(where, n, how) {
        [place, manner, fired, left, set] = [where, how, false, n, n];
      },
      take() {
        const taken = { cut: fired, steps: set - left };
        [left, fired] = [0, false];
        return taken;
      },
    },
  };
}
