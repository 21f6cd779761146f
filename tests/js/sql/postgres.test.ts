/** SQL of PostgreSQL in PGlite, which is PostgreSQL as WebAssembly. */
import { after, describe, test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { PGlite } from "@electric-sql/pglite";
import { agreeOnBounds, agreeOnTimes, type Database } from "./agreement.ts";

setFlagsFromString("--liftoff-only");
const database = await PGlite.create();
after(() => database.close());

const it: Database = {
  dialect: "postgres",
  async rows(text) {
    const { rows } = await database.query<unknown[]>(text, [], { rowMode: "array" });
    return rows.map((row) => row.map((value) => (value === null ? null : `${value}`)));
  },
};

describe("PostgreSQL", () => {
  test("the time of an ID is that of inspect", () => agreeOnTimes(it, 20));
  test("bounds are those of range", () => agreeOnBounds(it, 6));
});
