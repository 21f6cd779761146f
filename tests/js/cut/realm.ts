/** Fresh copies of the published package, of either core, in which every call can be cut off. */

import { readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { emptyRegistry } from "../support/other-process.ts";
import { packageDirectory } from "../support/places.ts";
import { instrumented, instrumentedModule } from "./instrument.ts";

export type Package = typeof import("graupel");
export type CoreKind = "WebAssembly" | "JavaScript";

/** What a cut throws. No code of the package knows it. */
class Cut extends Error {}

/** Where calls are cut off: the JavaScript around the core (and the core, where it is JavaScript), or the module. */
export type Place = "program" | "module";

/**
 * How a call ends: an overflow of the stack is an exception that handlers see once; after a time limit no more code runs, also none
 * of a handler.
 */
export type Manner = "overflow" | "time limit";

/** Cuts calls off. */
export interface Knife {
  /** Cuts off at the `n`-th step from now. */
  set(place: Place, n: number, manner: Manner): void;
  /** Stops cutting. Returns whether a call was cut off, and otherwise how many steps it took. */
  take(): { readonly cut: boolean; readonly steps: number };
}

/** More steps than any call takes. */
export const NEVER = 2 ** 30;

type Program = (
  exports: object,
  require: (path: string) => unknown,
  module: object,
  ...rest: unknown[]
) => void;

/** Loads fresh copies of the package, each with nothing in the registry; and what cuts their calls off. */
export function realm(core: CoreKind): { readonly load: () => Package; readonly knife: Knife } {
  const directory = join(packageDirectory, "dist", ...(core === "JavaScript" ? ["pure"] : []));
  const programs = new Map<string, Program>();
  let left = 0;
  let fired = false;
  let manner: Manner = "overflow";
  /** Steps left in the module: of its counter, or where it has not started, of the one that it will have. */
  let inModule: { value: number } = { value: -1 };
  let set = 0;
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  const cut = () => {
    const lasts = manner === "time limit" && (fired || inModule.value === 0);
    if (lasts || (left > 0 && --left === 0)) {
      fired = true;
      throw new Cut("cut off");
    }
  };
  const around = {
    Module: class extends WebAssembly.Module {
      constructor(given: Uint8Array) {
        bytes ??= instrumentedModule(given);
        super(bytes);
      }
    },
    Instance: class extends WebAssembly.Instance {
      constructor(module: WebAssembly.Module, imports: WebAssembly.Imports) {
        super(module, imports);
        const counter = this.exports.left as WebAssembly.Global;
        counter.value = inModule.value;
        inModule = counter;
      }
    },
  };
  const programOf = (path: string): Program => {
    const known = programs.get(path);
    if (known !== undefined) return known;
    const text = instrumented(readFileSync(path, "utf8"));
    const made = new Function("exports", "require", "module", "$cut", "WebAssembly", text) as Program;
    programs.set(path, made);
    return made;
  };
  return {
    load() {
      emptyRegistry();
      inModule = { value: -1 };
      const loaded = new Map<string, { exports: object }>();
      const load = (path: string): object => {
        const known = loaded.get(path);
        if (known !== undefined) return known.exports;
        const module = { exports: {} };
        loaded.set(path, module);
        const require = (other: string) => load(resolve(dirname(path), other));
        programOf(path)(module.exports, require, module, cut, around);
        return module.exports;
      };
      return load(join(directory, "index.cjs")) as Package;
    },
    knife: {
      set(place, n, how) {
        [manner, fired, set] = [how, false, n];
        if (place === "program") left = n;
        else inModule.value = n;
      },
      take() {
        const cut = fired || inModule.value === 0;
        const steps = set - Math.max(left, inModule.value);
        [left, fired, inModule.value] = [0, false, -1];
        return { cut, steps };
      },
    },
  };
}
