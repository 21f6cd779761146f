/** The core as JavaScript, for platforms without WebAssembly: `graupel/pure`. */
import type { InitOutput as Exports } from "../generated/core.js";
import { translated } from "../generated/translated.js";
import type { Imports } from "./webassembly.js";

/** Starts the core. */
export const start = (imports: Imports): Exports => translated(imports) as Exports;

/**
 * Calls back in each process that starts from a snapshot of this one, if this one is about to become one. Only an option of Node makes
 * it do so; without any, its module is not asked, because that would cost each start 5 ms.
 */
export function afterCloning(redraw: () => void): void {
  const { process } = globalThis;
  if (process?.execArgv?.length > 0) {
    const snapshot = process.getBuiltinModule?.("v8")?.startupSnapshot;
    if (snapshot?.isBuildingSnapshot()) {
      snapshot.addDeserializeCallback(redraw);
    }
  }
}
