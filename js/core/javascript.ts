/** The core as JavaScript, for platforms without WebAssembly: `graupel/pure`. */
import type { InitOutput as Exports } from "../generated/core.js";
import { translated } from "../generated/translated.js";
import type { Imports } from "./webassembly.js";

/** Starts the core. */
export const start = (imports: Imports): Exports => translated(imports) as Exports;

/**
 * Calls back in each process that starts from a snapshot of this one, if this one is about to become one. The options tell: to ask
 * Node's module would cost each start 5 ms.
 */
export function afterCloning(redraw: () => void): void {
  if (/build-snapshot|sea-config/.test(String(globalThis.process?.execArgv))) {
    globalThis.process.getBuiltinModule("v8").startupSnapshot.addDeserializeCallback(redraw);
  }
}
