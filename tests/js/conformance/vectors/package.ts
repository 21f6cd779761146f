// The only file of the vectors' run that names the package's entries: what is under test is whatever "graupel"
// resolves to here, which is the unpacked tarball.
export { GraupelError } from "graupel";
export * from "graupel/nanoflake";
export * from "graupel/sno";
export * from "graupel/snowflake";
export * from "graupel/snowflake-si";
export * from "graupel/ulid-flake";
