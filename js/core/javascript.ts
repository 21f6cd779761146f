/** The core as JavaScript, for platforms without WebAssembly: `graupel/pure`. */
import type { InitOutput as Exports } from "../generated/core.js";
import { translated } from "../generated/translated.js";
import type { Imports } from "./webassembly.js";

/** Starts the core. */
export const start = (imports: Imports): Exports => translated(imports) as Exports;

/**
 * Calls `redraw` in each process that starts from a snapshot of this one, if Node is building a
 * snapshot. That needs an option of Node, so without options the module is not loaded, which would
 * add 5 ms to each start.
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
