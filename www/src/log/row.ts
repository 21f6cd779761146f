/** A row of the table, as plain data that a worker can send. */
import type { FamilyReading, ForeignReading, Found, Reading } from "../find/types.ts";
import { kindOf } from "../lib/kinds.ts";
import { plainName } from "../lib/names.ts";

export interface Value {
  readonly name: string;
  readonly value: string;
}

export interface LogRow {
  /** The position in the log, from 0. */
  readonly index: number;
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly key: string;
  readonly title: string;
  /** Whether another format is nearly as likely. */
  readonly isDoubtful: boolean;
  /** Unix milliseconds. */
  readonly timestamp: number | undefined;
  /** All fields except the time. */
  readonly values: readonly Value[];
  /** The fields that identify the machine; empty if there are none. */
  readonly machine: readonly Value[];
}

/**
 * The fields of other families that identify the machine. `SAID` lists the fields that the table
 * leaves out, such as the version of a UUID.
 */
const MACHINE_FIELDS: Readonly<Record<string, readonly string[]>> = {
  "uuid-v1": ["node"],
  "uuid-v6": ["node"],
  objectid: ["random"],
  xid: ["machine", "process"],
};
const SAID = ["time", "time low", "time middle", "time high", "version", "variant", "all bits"];

function ofFamily({ format, id }: FamilyReading): Pick<LogRow, "values" | "machine"> {
  const inspection = format.inspect(id);
  const fields = format.layout.fields.slice(1);
  const said = ({ name }: { readonly name: string }): Value => ({
    name: plainName(name),
    value: String(inspection[name]),
  });
  return {
    values: fields.map(said),
    machine: fields.filter((field) => kindOf(field) === "machine").map(said),
  };
}

const ofForeign = ({ key, values }: ForeignReading): Pick<LogRow, "values" | "machine"> => ({
  values: values.filter(({ name }) => !SAID.includes(name)),
  machine: values.filter(({ name }) => MACHINE_FIELDS[key]?.includes(name)),
});

const partsOf = (reading: Reading) => (reading.kind === "family" ? ofFamily(reading) : ofForeign(reading));

/** The row for an ID; undefined if only a note was found. */
export function rowOf({ text, start, end, readings }: Found, index: number): LogRow | undefined {
  const [first] = readings;
  if (first === undefined) return undefined;
  const { key, title, timestamp, isDoubtful } = first;
  return { index, text, start, end, key, title, timestamp, isDoubtful, ...partsOf(first) };
}

/** The fields as one line. */
export const fieldsOf = ({ values }: LogRow): string =>
  values.map(({ name, value }) => `${name} ${value}`).join(", ");
