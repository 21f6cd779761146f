/**
 * Cases for the functions that create formats: `nanoflake`, `snowflakeSI`, `snowflake`, and
 * Ulid-Flake's `withEpoch`.
 */
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { facts } from "graupel/facts";
import { nanoflake } from "graupel/nanoflake";
import { snowflake } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";
import type { AnyFormat } from "../../support/any-format.ts";
import {
  epochFaults,
  epochOf,
  type Fault,
  inspected,
  msOf,
  numberFaults,
  type Values,
} from "../../support/expected.ts";
import { rowOf } from "../../support/formats.ts";
import { anything, constant, type Given, made, time } from "../../support/junk.ts";
import { BITS, declarations, type Ids } from "../../support/layouts.ts";
import {
  customSpec,
  nanoflake24Spec,
  nanoflakeSpec,
  Reference,
  type Spec,
  snowflakeSISpec,
} from "../../support/reference.ts";
import { Bag, bagOf, bags } from "./objects.ts";
import { ask, expect, picture, type Verdict } from "./outcomes.ts";
import { entriesOf, optionFaults, type Parameter, parameter } from "./parameters.ts";

/** Milliseconds from the start of a layout's first tick to the start of its last. */
const spanOf = (spec: Spec): number => {
  const r = new Reference({ ...spec, epoch: 0 });
  return r.timestamp(r.lastTick);
};

/**
 * The expected outcome of a declaration: a format that matches the spec, whose IDs have its fields.
 */
function formatVerdict(spec: Spec, faults: readonly Fault[]): Verdict {
  const check = (made: unknown) => {
    const format = made as AnyFormat;
    // Turns an epoch of -0 into 0.
    const r = new Reference({ ...spec, epoch: spec.epoch + 0 });
    const integers = [r.largest, r.largest / 3n];
    const fields = integers.map((integer) => inspected(r, integer));
    const ids = integers.map((integer) => r.idOf(integer));
    const found = [
      [format.epoch, format.endOfLife],
      ids.map((id) => format.inspect(id)),
      fields.map((given) => format.with(format.compose(given), { ticks: given.ticks })),
    ];
    const wanted = [[r.spec.epoch, r.timestamp(r.lastTick)], fields, ids];
    expect(isDeepStrictEqual(found, wanted), () => `is ${picture(found)}; expected ${picture(wanted)}`);
  };
  return { faults, check };
}

const objectsOf = (parameters: readonly Parameter[]): fc.Arbitrary<() => Bag> => {
  const names = parameters.map(({ name }) => name);
  return bags(entriesOf(parameters), "declaration", "UNKNOWN_OPTION", names);
};

/** Cases of a function that takes a declaration. */
const declares = (
  name: string,
  make: (declaration: never) => unknown,
  objects: fc.Arbitrary<() => Bag>,
  wanted: (values: Values) => Verdict,
): fc.Arbitrary<() => void> =>
  objects.map((bag) => () => {
    ask(
      `${name}()`,
      "declaration",
      [bag],
      wanted as (read: unknown) => Verdict,
      make as (given: unknown) => unknown,
    );
  });

/** Leaves out the epoch, whose range depends on the layout. */
const without = (parameters: readonly Parameter[], ...names: string[]): Parameter[] =>
  parameters.filter(({ name }) => !names.includes(name));

const [nanoflakes, si, custom] = (["nanoflake", "snowflake-si", "snowflake"] as const).map((name) =>
  facts[name].declaration.map((option) => parameter(option)),
) as [Parameter[], Parameter[], Parameter[]];

function nanoflakeVerdict(values: Values): Verdict {
  const make = values.layout === "reference-24" ? nanoflake24Spec : nanoflakeSpec;
  const spec = make(msOf(epochOf(values.epoch)));
  const faults = epochFaults(values.epoch, spanOf(spec));
  return formatVerdict(spec, [...faults, ...optionFaults(without(nanoflakes, "epoch"), values)]);
}

/** The earliest epochs at which 40 and 41 bits of milliseconds reach beyond January 2038. */
const EARLIEST: Readonly<Record<number, number>> = { 40: 2_147_483_647_000 - 2 ** 40 + 1, 41: 0 };

function siVerdict(values: Values): Verdict {
  const alone = optionFaults(without(si, "epoch"), values);
  if (alone.length > 0) {
    return { faults: [...alone, ...epochFaults(values.epoch, 0)] };
  }
  const widths = values as Readonly<Record<string, number | undefined>>;
  const rest = 53 - (widths.clockBits ?? 40);
  const { machineBits: m, sequenceBits: s } = widths;
  const machineBits = m ?? (s === undefined ? 5 : rest - s);
  const sequenceBits = s ?? rest - machineBits;
  const left = rest - machineBits;
  const sum = { code: "CONFLICT", field: "sequenceBits", value: sequenceBits, min: left, max: left };
  const faults = [
    ...epochFaults(values.epoch, 2 ** (53 - rest) - 1, EARLIEST[53 - rest]),
    ...numberFaults(machineBits, "machineBits", 12),
    ...numberFaults(sequenceBits, "sequenceBits", 13, 1),
    ...(left === sequenceBits ? [] : [sum]),
  ];
  const spec = snowflakeSISpec(msOf(epochOf(values.epoch)), 53 - rest, machineBits, sequenceBits);
  return formatVerdict(spec, faults);
}

const NAMES = ["worker", "region", "_", "A9", `a${"b".repeat(63)}`];
const BAD_NAMES = ["", "a b", "a\n", ..."9 0x a-b ä constructor toString __proto__ _\u200b".split(" ")];
/** Names with a meaning in the options or in the result of `inspect`. */
const RESERVED = ["timestamp", "ticks", ...facts.snowflake.options.map(({ name }) => name)];
const isName = (name: string): boolean =>
  /^[A-Za-z_][A-Za-z0-9_]{0,63}$/.test(name) && !RESERVED.includes(name) && !(name in {});

/** Valid fields, and valid fields that were then changed. */
const widths = fc
  .tuple(
    declarations,
    fc.array(
      fc.tuple(
        fc.constantFrom("change", "remove", "add"),
        fc.nat(8),
        fc.oneof(constant(fc.integer({ min: 1, max: 54 })), anything),
        fc.constantFrom(...NAMES, ...BAD_NAMES, ...RESERVED, `a${"b".repeat(64)}`),
      ),
      { maxLength: 2 },
    ),
  )
  .map(([declaration, changes]) => {
    const fields = new Map(
      Object.entries(declaration.fields).map(([name, bits]): [string, Given] => [name, () => bits]),
    );
    for (const [what, at, bits, name] of changes) {
      const old = [...fields.keys()][at % fields.size] as string;
      if (what === "remove") fields.delete(old);
      else fields.set(what === "add" ? name : old, bits);
    }
    return { ...declaration, fields: [...fields] };
  });

const snowflakes = widths.chain(({ epoch, tickMs, fields, sequenceField, ids }) => {
  const inner = bags(fc.constant(fields), "fields", "UNKNOWN_FIELD", []);
  const own: Record<string, fc.Arbitrary<Given>> = {
    epoch: constant(fc.constantFrom<unknown>(epoch, BigInt(epoch))),
    tickMs: constant(fc.constant(tickMs)),
    fields: made(inner, (bag) => bag().object),
    sequenceField: constant(fc.constant(sequenceField)),
    ids: constant(fc.constant(ids)),
  };
  return objectsOf(custom.map((one) => ({ ...one, right: own[one.name] as fc.Arbitrary<Given> })));
});

/**
 * Faults of the fields as a whole and of each field. `counter` is the name of the field that
 * counts.
 */
function fieldsFaults(object: unknown, read: Values, counter: unknown, ids: unknown): Fault[] {
  const names = Object.keys(read);
  const strange = names.filter((name) => !isName(name));
  const widths = names.flatMap((name) => numberFaults(read[name], `fields.${name}`, 53, 1));
  const faults = [...strange.map((value) => ({ code: "UNKNOWN_FIELD", field: "fields", value })), ...widths];
  if (names[0] !== "time" || names.indexOf(counter as string) < 1) {
    faults.push({ code: "CONFLICT", field: "fields", value: object });
  }
  const sum = widths.length > 0 ? 0 : (Object.values(read) as number[]).reduce((sum, bits) => sum + bits, 0);
  // An invalid ID type has a fault of its own.
  const [min, max] = Object.keys(BITS).includes(ids as Ids) ? BITS[ids as Ids] : BITS.bigint;
  const fits = widths.length > 0 || (sum >= min && sum <= max);
  return fits ? faults : [...faults, { code: "RANGE", field: "fields", value: sum, min, max }];
}

function snowflakeVerdict(values: Values): Verdict {
  const { epoch, tickMs = 1, fields: object, sequenceField = "sequence", ids = "bigint" } = values;
  const inner = bagOf(object);
  const alone = [...optionFaults(without(custom, "epoch", "fields"), values), ...epochFaults(epoch, 0)];
  if (inner === undefined) {
    // If the fields are an object that was not drawn, any of these faults may apply.
    const any = ["TYPE", "CONFLICT", "RANGE", "UNKNOWN_FIELD"].map((code) => ({ code }));
    const wrong = { code: "TYPE", field: "fields", value: object };
    return { faults: [...alone, wrong, ...(Object(object) === object ? any : [])] };
  }
  // An added key counts as a field.
  const added = inner.faults.find(({ code }) => code === "UNKNOWN_FIELD");
  const read = { ...inner.values, ...(added && { [added.field as string]: 5 }) } as Record<string, number>;
  const faults = [
    ...alone,
    ...inner.faults.filter((fault) => fault !== added),
    ...fieldsFaults(object, read, sequenceField, ids),
  ];
  const bags = [new Bag(object, {}, [], inner.throws, inner.loose)];
  if (faults.length > 0) {
    return { faults, bags };
  }
  const spec = customSpec(msOf(epochOf(epoch)), tickMs as number, read, ids as Ids);
  const span = spanOf(spec);
  const most = Number.MAX_SAFE_INTEGER;
  return span > most
    ? { faults: numberFaults(tickMs, "tickMs", Math.floor(most / (span / Number(tickMs))), 1), bags }
    : { ...formatVerdict(spec, epochFaults(epoch, span)), bags };
}

/** Cases of Ulid-Flake with a custom epoch. */
const withEpochs = fc
  .tuple(fc.constantFrom(ulidFlake, ulidFlakeScalable), fc.oneof(time, anything))
  .map(([format, epoch]) => () => {
    const spec = rowOf(format.name).reference.spec;
    const wanted = (x: unknown) =>
      formatVerdict({ ...spec, epoch: msOf(epochOf(x)) }, epochFaults(x, spanOf(spec)));
    ask("withEpoch", format.name, [epoch], wanted, (x) => format.withEpoch(x as number));
  });

export const declarationCases: fc.Arbitrary<() => void> = fc.oneof(
  declares("nanoflake", nanoflake, objectsOf(nanoflakes), nanoflakeVerdict),
  declares("snowflakeSI", snowflakeSI, objectsOf(si), siVerdict),
  { weight: 3, arbitrary: declares("snowflake", snowflake, snowflakes, snowflakeVerdict) },
  withEpochs,
);
