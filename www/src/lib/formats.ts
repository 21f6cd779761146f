/** The formats, as the pages use them: whatever the type of their IDs. */
import * as nanoflake from "graupel/nanoflake";
import * as sno from "graupel/sno";
import * as snowflake from "graupel/snowflake";
import * as snowflakeSI from "graupel/snowflake-si";
import * as ulidFlake from "graupel/ulid-flake";

export type { AnyFormat, AnyGenerator, AnyId as Id } from "graupel";

/** What the entries of the formats export. All of `graupel` would bring what no page uses. */
export const exported = { ...nanoflake, ...sno, ...snowflake, ...snowflakeSI, ...ulidFlake };
