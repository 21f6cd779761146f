// The only file of the vectors' run that names the package's entries: what is under test is whatever "graupel"
// resolves to here, which is the unpacked tarball.
export { GraupelError } from "graupel";
export { nanoflake } from "graupel/nanoflake";
export { sno } from "graupel/sno";
export { discord, instagram, mastodon, sonyflake, twitter } from "graupel/snowflake";
export { snowflakeSI } from "graupel/snowflake-si";
export { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
