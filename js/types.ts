/** The public types. */
export type * from "./types/format.js";
export type * from "./types/generator.js";
export type * from "./types/layout.js";
