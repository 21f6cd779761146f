/** The core as JavaScript, for platforms without WebAssembly: `graupel/pure`. */
import type { InitOutput as Exports } from "../generated/core.js";
import { translated } from "../generated/translated.js";
import type { Imports } from "./webassembly.js";

/** Starts the core. */
export const start = (imports: Imports): Exports => translated(imports) as Exports;
