/**
 * graupel generates, parses and validates the IDs of the Snowflake family.
 *
 * This entry contains all formats. Each format also has its own entry (`graupel/sno`,
 * `graupel/nanoflake`, `graupel/snowflake`, `graupel/snowflake-si`, `graupel/ulid-flake`), which
 * loads no other format. `graupel/facts` has the facts of each format as data.
 *
 * @module graupel
 */
export type { AnyFormat, AnyGenerator, AnyId, AnyInspection, IdOf } from "./any-format.js";
export { type ErrorCode, type ErrorRange, GraupelError } from "./errors.js";
export * from "./formats/nanoflake.js";
export * from "./formats/sno/index.js";
export * from "./formats/snowflake.js";
export * from "./formats/snowflake-si.js";
export * from "./formats/ulid-flake.js";
export { type Candidate, type CandidateReason, identify } from "./identify.js";
export type * from "./types.js";
