/** The verbs of `graupel/read` as methods, so that tests of formats can also test them. */
import * as read from "graupel/read";
import type { AnyFormat } from "./any-format.ts";
import type { FormatUnderTest } from "./formats.ts";
import { facts, NAMES } from "./make.ts";

/** The `graupel/read` row of a format, with the same declaration. */
function rowOf({ name, epoch, valueType, layout }: AnyFormat): read.AnyReadFormat {
  const { tickMs, fields, isUnsigned } = layout;
  const one = facts[NAMES.find((known) => known === name) ?? "snowflake"];
  const made = (read as unknown as Record<string, unknown>)[one.export];
  if (!one.declared) {
    const row = made as read.AnyReadFormat;
    return row.epoch === epoch ? row : read.withEpoch(row, epoch);
  }
  const widths = Object.fromEntries(fields.map(({ name, bits }) => [name, bits]));
  const declarations: Record<string, object> = {
    snowflake: {
      ...{ epoch, tickMs, fields: widths, ids: isUnsigned ? "unsigned" : valueType },
      sequenceField: fields.find(({ role }) => role === "sequence")?.name,
    },
    snowflakeSI: {
      ...{ epoch, clockBits: widths.time, machineBits: widths.machineId ?? 0 },
      sequenceBits: widths.sequence,
    },
  };
  return (made as (declaration: object) => read.AnyReadFormat)(
    declarations[one.export] ?? { epoch, ...one.given },
  );
}

/** The verbs of `graupel/read` for a format. */
export function readerOf(format: AnyFormat): AnyFormat {
  const row = rowOf(format);
  const verb =
    (call: (row: read.AnyReadFormat, ...given: never[]) => unknown) =>
    (...given: unknown[]) =>
      Reflect.apply(call, undefined, [row, ...given]);
  const { inspect, isValid, parse, range, timestamp } = read;
  return {
    ...{ inspect: verb(inspect), isValid: verb(isValid), parse: verb(parse) },
    ...{ range: verb(range), timestamp: verb(timestamp) },
  } as unknown as AnyFormat;
}

/** The same format under test, read by `graupel/read`. */
export const readingOf = (subject: FormatUnderTest): FormatUnderTest => ({
  ...subject,
  name: `${subject.name}, of graupel/read,`,
  format: readerOf(subject.format),
});
