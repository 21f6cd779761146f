/**
 * graupel: the IDs of the Snowflake family, made, read and checked.
 *
 * Everything in one import; each format also has an entry of its own (`graupel/sno`, `graupel/nanoflake`,
 * `graupel/snowflake`, `graupel/snowflake-si`, `graupel/ulid-flake`), which loads nothing of the others. `graupel/facts` says what each
 * format is, as data.
 *
 * @module graupel
 */
export type { AnyFormat, AnyGenerator, AnyId, AnyInspection } from "./any-format.js";
export { type ErrorCode, type ErrorRange, GraupelError } from "./errors.js";
export * from "./formats/nanoflake.js";
export * from "./formats/sno/index.js";
export * from "./formats/snowflake.js";
export * from "./formats/snowflake-si.js";
export * from "./formats/ulid-flake.js";
export { type Candidate, type CandidateReason, identify } from "./identify.js";
export type * from "./types.js";
