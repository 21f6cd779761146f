/**
 * graupel: the IDs of the Snowflake family, made, read and checked.
 *
 * Everything in one import; each format also has an entry of its own (`graupel/sno`, `graupel/nanoflake`,
 * `graupel/snowflake`, `graupel/snowflake-si`, `graupel/ulid-flake`), which loads nothing of the others.
 *
 * @module
 */
export { type ErrorCode, GraupelError } from "./errors.js";
export { type AnyFormat, type Candidate, identify } from "./identify.js";
export * from "./nanoflake.js";
export * from "./sno.js";
export * from "./snowflake.js";
export * from "./snowflake-si.js";
export type * from "./types.js";
export * from "./ulid-flake.js";
