/** The formats, with a type that does not depend on the type of their IDs. */
import * as nanoflake from "graupel/nanoflake";
import * as sno from "graupel/sno";
import * as snowflake from "graupel/snowflake";
import * as snowflakeSI from "graupel/snowflake-si";
import * as ulidFlake from "graupel/ulid-flake";

export type { AnyFormat, AnyGenerator, AnyId as Id } from "graupel";

/**
 * The exports of the formats' entries. The entry `graupel` would also contain code that no page
 * uses.
 */
export const exported = { ...nanoflake, ...sno, ...snowflake, ...snowflakeSI, ...ulidFlake };
