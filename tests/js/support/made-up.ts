/**
 * Fictional formats, defined like new rows of the table. Code that accepts any format must accept
 * these.
 */
import { type IdType, signed, signedBy, textIds, unsigned } from "../../../js/core/ids.ts";
import { type Row, schemaOf } from "../../../js/core/schema.ts";
import { inspectionOf } from "../../../js/declared.ts";
import * as rows from "../../../js/generated/layouts.ts";
import { fixedFieldGenerators } from "../../../js/generator/fixed-fields.ts";
import { bigintsOfLetters } from "../../../js/read/load.ts";
import type { FieldRole } from "../../../js/types.ts";
import { formatOf } from "../../../js/verbs/all.ts";
import type { AnyFormat } from "./any-format.ts";

type Field = readonly [name: string, bits: number, role: FieldRole];

function made(row: Row, idType: object, name: string, given: readonly Field[], changes: Partial<Row> = {}) {
  const fields = given.map(([name, bits, role]) => ({ name, bits, role }));
  const sequence = fields.findIndex(({ role }) => role === "sequence" || role === "random");
  const whole = { ...row, ...changes, name, fields, sequence, inspection: inspectionOf(fields) };
  return formatOf<AnyFormat>(schemaOf(whole, idType as IdType<bigint>), (schema) => ({
    generator: fixedFieldGenerators(schema),
  }));
}

const hexadecimal = { ...rows.nanoflake.facts, base: 16, pattern: "^(?:0|[1-9a-f][0-9a-f]{0,15})$" };

/** Named after their unusual property. */
export const MADE_UP = {
  "a text form": made(
    rows.ulidFlake,
    textIds(rows.ulidFlake.radix, rows.ulidFlake.text, rows.ulidFlake.facts.ignoresCase),
    "tide",
    [
      ["time", 43, "time"],
      ["drops", 12, "sequence"],
      ["shore", 8, "fixed"],
    ],
    { startBytes: 0 },
  ),
  "all 64 bits": made(rows.discord, unsigned, "loud", [
    ["time", 42, "time"],
    ["lane", 10, "fixed"],
    ["tally", 12, "sequence"],
  ]),
  "rounded times": made(
    rows.mastodon,
    signed,
    "near",
    [
      ["time", 40, "time"],
      ["nth", 23, "sequence"],
    ],
    { tickMs: 10, epoch: 1.6e12 },
  ),
  "hexadecimal digits": made(
    rows.nanoflake as unknown as Row,
    signedBy(bigintsOfLetters("0123456789abcdef", true)),
    "hexed",
    [
      ["time", 41, "time"],
      ["ordinal", 12, "sequence"],
      ["desk", 10, "fixed"],
    ],
    { radix: 16, epoch: 1.7e12, facts: hexadecimal },
  ),
};
