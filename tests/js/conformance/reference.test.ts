/**
 * Compares the package with the reference, on seeded random input and on both sides of every limit. A failure prints the
 * seed. GRAUPEL_SEED sets the seed, GRAUPEL_CASES the number of comparisons for each format (120,000).
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { GraupelError } from "graupel";
import { sno } from "graupel/sno";
import type { AnyFormat } from "../support/any-format.ts";
import { Random, SEED_VARIABLE, seedOfRun } from "../support/random.ts";
import { type Reference, snoUUID } from "../support/reference.ts";
import { custom, named, type Subject, snowflakeSIs } from "../support/subjects.ts";
import { Comparison, outcome } from "./comparison.ts";

const seed = seedOfRun();
const CASES = Number(process.env.GRAUPEL_CASES ?? 120_000);

/** Every verb on one ID. */
function oneID({ format, reference: r }: Subject, values: readonly bigint[], c: Comparison): unknown {
  const integer = r.pack(values);
  const id = r.idOf(integer);
  const text = r.text(integer);
  const names = r.spec.fields.map(([name]) => name);
  const fields = Object.fromEntries(names.slice(1).map((name, i) => [name, Number(values[i + 1])]));
  const tick = values[0] as bigint;

  c.same(format.compose({ ...fields, ticks: Number(tick) }), id, "compose", ...values);
  const seen = format.inspect(id);
  c.same(seen.ticks, Number(tick), "inspect.ticks", id);
  c.same(seen.timestamp, r.timestamp(tick), "inspect.timestamp", id);
  c.same((seen.time as Date).getTime(), r.timestamp(tick), "inspect.time", id);
  for (const name of names.slice(1)) {
    c.same(seen[name], fields[name], `inspect.${name}`, id);
  }
  c.same(Object.keys(seen).length, names.length + 2, "inspect's keys", id);
  c.same(format.compose(seen), id, "compose(inspect)", id);
  c.same(format.format(id), text, "format", id);
  // Every verb that takes an ID also takes its text.
  c.same(JSON.stringify(format.inspect(text)), JSON.stringify(seen), "inspect", JSON.stringify(text));
  c.same(format.format(text), text, "format", JSON.stringify(text));
  c.same(String(format.toBytes(text)), String(r.bytes(integer)), "toBytes", JSON.stringify(text));
  c.same(format.toBigInt(text), integer, "toBigInt", JSON.stringify(text));
  c.same(format.with(text, {}), id, "with", JSON.stringify(text));
  c.same(format.parse(text), id, "parse", text);
  c.same(format.parse(id), id, "parse", id);
  c.same(format.isValid(text), true, "isValid", text);
  c.same(String(format.toBytes(id)), String(r.bytes(integer)), "toBytes", id);
  c.same(format.fromBytes(r.bytes(integer)), id, "fromBytes", id);
  c.same(format.toBigInt(id), integer, "toBigInt", id);
  c.same(format.fromBigInt(integer), id, "fromBigInt", integer);
  return id;
}

/** IDs, and integers above the largest. */
function ids(subject: Subject, random: Random, c: Comparison): void {
  const { format, reference: r } = subject;
  const draw = () =>
    r.spec.fields.map(([, bits], i) => {
      const value = random.edgy(bits);
      return i === 0 && value > r.lastTick ? value & r.lastTick : value;
    });
  const one = draw();
  const two = random.oneIn(2) ? draw() : one.map((value, i) => (i === one.length - 1 ? value ^ 1n : value));
  const id = oneID(subject, one, c);
  const other = oneID(subject, two, c);
  const [a, b] = [r.pack(one), r.pack(two)];
  c.same(format.compare(id, other), a < b ? -1 : a > b ? 1 : 0, "compare", id, other);
  const i = random.between(1, one.length - 1);
  const name = r.spec.fields[i]?.[0] as string;
  const changed = one.map((value, j) => (j === i ? (two[i] as bigint) : value));
  c.same(format.with(id, { [name]: Number(two[i]) }), r.idOf(r.pack(changed)), `with ${name}`, id, two[i]);
  const moved = [two[0] as bigint, ...one.slice(1)];
  c.same(format.with(id, { ticks: Number(two[0]) }), r.idOf(r.pack(moved)), "with ticks", id, two[0]);

  const bits = random.oneIn(2) ? r.spec.bytes * 8 : random.between(1, 200);
  const integer = random.oneIn(4) ? -random.edgy(bits) : random.edgy(bits);
  const faults = new Set(integer < 0n ? ["RANGE"] : integer > r.largest ? ["OVERFLOW"] : []);
  const expected = faults.size === 0 ? r.idOf(integer) : undefined;
  c.refused(() => format.fromBigInt(integer), faults, expected, "fromBigInt", integer);
  if (integer >= 0n && integer < 2n ** BigInt(r.spec.bytes * 8)) {
    const bytes = r.bytes(integer);
    c.refused(() => format.fromBytes(bytes), faults, expected, "fromBytes", integer);
  }
  const printed = integer.toString();
  if (r.spec.form === 10) {
    c.refused(() => format.parse(printed), r.faults(printed), expected, "parse", printed);
  }
}

/** Texts, right and wrong. */
function texts({ format, reference: r }: Subject, random: Random, c: Comparison): void {
  const limit = random.pick([r.largest, r.largest, 2n ** BigInt(r.spec.bytes * 8) - 1n]);
  const form = r.spec.form === 36 && random.oneIn(2) ? random.between(2, 36) : r.spec.form;
  let text = r.text(random.bits(100) % (limit + 1n), form);
  const at = random.below(text.length + 1);
  const mutate = random.below(8);
  if (mutate === 0) {
    text = text.slice(0, at) + text.slice(at + 1);
  } else if (mutate === 1) {
    text = text.toUpperCase();
  } else if (mutate === 2) {
    const code = random.oneIn(3)
      ? (text.charCodeAt(at) || 48) + 256 * random.between(1, 255)
      : random.below(random.pick([128, 256, 65_536]));
    text = text.slice(0, at) + String.fromCharCode(code) + text.slice(at + random.below(2));
  } else if (mutate === 3) {
    text = `0${text}`;
  }
  const radix = form === r.spec.form ? undefined : form;
  const faults = r.faults(text, form);
  const id = faults.size === 0 ? r.idOf(r.read(text, form)) : undefined;
  c.refused(() => format.parse(text, radix), faults, id, "parse", JSON.stringify(text), radix);
  if (radix === undefined) {
    c.same(format.isValid(text), faults.size === 0, "isValid", JSON.stringify(text));
    c.same(format["~standard"].validate(text).value, id, "~standard", JSON.stringify(text));
    // Verbs on an ID also take its text, and refuse other texts as `parse` does.
    const given = JSON.stringify(text);
    const integer = id === undefined ? 0n : r.read(text);
    c.refused(() => format.toBigInt(text), faults, integer, "toBigInt", given);
    c.refused(() => format.format(text), faults, r.text(integer), "format", given);
    c.refused(() => format.with(text, {}), faults, id, "with", given);
    c.refused(() => String(format.toBytes(text)), faults, String(r.bytes(integer)), "toBytes", given);
    c.refused(() => format.inspect(text).ticks, faults, Number(integer >> r.below), "inspect", given);
  }
  if (faults.has("CHARACTER")) {
    const error = outcome(() => format.parse(text, radix)) as GraupelError;
    const position = text.split("").findIndex((character) => r.digit(character, form) < 0);
    c.same(error.range?.min, position, "position", JSON.stringify(text));
  }
  if (id !== undefined && typeof r.spec.form === "number") {
    c.same(format.format(id, radix), r.text(r.read(text, form), form), "format", id, radix);
  }
}

/** A time near a limit or anywhere, whole or not. */
function instant(r: Reference, random: Random): number {
  const near = random.pick([0n, 0n, 1n, r.lastTick, r.lastTick + 1n, random.bits(53) % (r.lastTick + 1n)]);
  const step = random.pick([
    0,
    0,
    1,
    -1,
    0.5,
    -0.5,
    1.5,
    2.5,
    1e-9,
    -1e-9,
    0.49999999999999994,
    random.fraction(),
  ]);
  const ms = r.timestamp(near) + step;
  const beside = [ms, ms, ms * (1 + Number.EPSILON), ms * (1 - Number.EPSILON)];
  return Math.max(-8.64e15, Math.min(8.64e15, random.pick(beside)));
}

/** Ticks of times, and ranges. */
function times({ format, reference: r }: Subject, random: Random, c: Comparison): void {
  const others = Object.fromEntries(r.spec.fields.slice(1).map(([name]) => [name, 0]));
  const ms = instant(r, random);
  const tick = r.tick(ms);
  const faults = new Set(typeof tick === "string" ? [tick] : []);
  const id = typeof tick === "string" ? undefined : r.idOf(tick << r.below);
  c.refused(() => format.compose({ ...others, timestamp: ms }), faults, id, "compose timestamp", ms);
  if (Number.isInteger(ms)) {
    c.refused(() => format.compose({ ...others, time: new Date(ms) }), faults, id, "compose time", ms);
  }
  const ends = [instant(r, random), instant(r, random)].sort((a, b) => a - b) as [number, number];
  // Sometimes one or both ends are left out.
  const [from, to] = ends.map((end) => (random.oneIn(8) ? undefined : end));
  if (from === undefined || to === undefined || from < to) {
    const range = r.range(from, to);
    const actual = outcome(() => format.range(from, to)) as { min: unknown; max: unknown };
    if (range instanceof Set) {
      c.refused(() => format.range(from, to), range, undefined, "range", from, to);
    } else {
      c.same(actual.min, r.idOf(range.min), "range.min", from, to);
      c.same(actual.max, r.idOf(range.max), "range.max", from, to);
    }
  } else {
    c.refused(() => format.range(from, to), new Set(["CONFLICT"]), undefined, "range", from, to);
  }
}

/** A generator's first ID at a reading: the reading's tick, the fixed fields, and the first value. */
function firsts({ format, reference: r, fixed, counter }: Subject, random: Random, c: Comparison): void {
  const ms = instant(r, random);
  const tick = r.tick(ms);
  const widths = new Map(r.spec.fields);
  const options = Object.fromEntries(
    fixed.map((name) => [name, Number(random.edgy(widths.get(name) as number))]),
  );
  const clock = () => ms;
  const fill = counter === "randomness" ? { random: (bytes: Uint8Array) => bytes.fill(0) } : {};
  const own = { ...options, ...fill, isolated: true };
  // A new sno generator counts tick 0 as begun, as the reference program does.
  const start = r.spec.name === "sno" && tick === 0n ? 1n : 0n;
  const values = r.spec.fields.map(([name], i) =>
    i === 0 ? (tick as bigint) : name === counter ? start : BigInt(options[name] ?? 0),
  );
  const faults = new Set(typeof tick === "string" ? [tick] : []);
  const id = typeof tick === "string" ? undefined : r.idOf(r.pack(values));
  c.refused(() => format.generator({ ...own, clock }).next(), faults, id, "generator.next", ms);
  const given = typeof tick === "string" ? undefined : r.idOf(r.pack(values) - start);
  const maker = () => format.generator({ ...own, clock: () => 0 });
  c.refused(() => maker().at(ms), faults, given, "generator.at", ms);
}

const replaced = (values: readonly bigint[], at: number, value: bigint) =>
  values.map((old, i) => (i === at ? value : old));

/** Both ends of every field, the first and the last tick, and values outside. */
function limits(subject: Subject, c: Comparison): void {
  const { format, reference: r } = subject;
  const { fields } = r.spec;
  const most = fields.map(([, bits], i) => (i === 0 ? r.lastTick : 2n ** BigInt(bits) - 1n));
  const none = fields.map(() => 0n);
  oneID(subject, most, c);
  oneID(subject, none, c);
  fields.forEach(([name], i) => {
    oneID(subject, replaced(most, i, 0n), c);
    oneID(subject, replaced(none, i, most[i] as bigint), c);
    const key = i === 0 ? "ticks" : name;
    const parts = { ...Object.fromEntries(fields.slice(1).map(([name]) => [name, 0])), ticks: 0 };
    const codes = new Set(["RANGE", ...(i === 0 ? ["END_OF_LIFE"] : [])]);
    for (const value of [-1, Number(most[i]) + 1, 0.5, Number.NaN]) {
      c.refused(() => format.compose({ ...parts, [key]: value }), codes, undefined, `compose ${key}`, value);
    }
  });
  c.same(format.epoch, r.spec.epoch, "epoch");
  c.same(format.endOfLife, r.timestamp(r.lastTick), "endOfLife");
  const bits = fields.reduce((sum, [, width]) => sum + width, 0);
  c.same(format.layout.bits, bits, "layout.bits");
  c.same(format.layout.tickMs, r.spec.tickMs, "layout.tickMs");
  c.same(
    JSON.stringify(format.layout.fields),
    JSON.stringify(fields.map(([name, bits]) => ({ name, bits }))),
    "layout",
  );
  const counter = fields.find(([name]) => name === subject.counter);
  c.same(format.capacity, 2 ** (counter?.[1] ?? 0), "capacity");
}

/** Ranges: the whole life of a format, on both sides of its two ends, and outside. */
function spans({ format, reference: r }: Subject, c: Comparison): void {
  const [epoch, last, end] = [0n, r.lastTick, r.lastTick + 1n].map((tick) => r.timestamp(tick)) as [
    number,
    number,
    number,
  ];
  const inside: [from: number | undefined, to: number | undefined][] = [
    [undefined, undefined],
    [epoch, end],
    [epoch - 0.5, end],
    [undefined, epoch + 0.5],
    [last, undefined],
  ];
  for (const [from, to] of inside) {
    const { min, max } = format.range(from, to);
    const wanted = r.range(from, to) as { readonly min: bigint; readonly max: bigint };
    c.same(min, r.idOf(wanted.min), "range.min", from, to);
    c.same(max, r.idOf(wanted.max), "range.max", from, to);
  }
  const outside: [from: number | undefined, to: number | undefined, code: string, field: string][] = [
    [undefined, epoch, "BEFORE_EPOCH", "to"],
    [epoch - 1, epoch, "BEFORE_EPOCH", "to"],
    [end, undefined, "END_OF_LIFE", "from"],
    [end, epoch, "CONFLICT", "from"],
    [epoch, epoch, "CONFLICT", "from"],
  ];
  for (const [from, to, code, field] of outside) {
    const error = outcome(() => format.range(from, to));
    c.same(
      error instanceof GraupelError && `${error.code}, ${error.field}`,
      `${code}, ${field}`,
      "range",
      from,
      to,
    );
  }
}

/** Makes `cases` comparisons on random input, with one or several subjects in turn. */
function compareAll(label: string, subjects: (random: Random) => Subject, cases: number): void {
  const random = new Random(seed);
  let made = 0;
  for (let round = 0; made < cases; round++) {
    const subject = subjects(random);
    const c = new Comparison(subject.label);
    try {
      limits(subject, c);
      spans(subject, c);
      for (let i = 0; i < 200 && made + c.made < cases; i++) {
        ids(subject, random, c);
        texts(subject, random, c);
        times(subject, random, c);
        firsts(subject, random, c);
      }
    } catch (error) {
      throw new Error(`${SEED_VARIABLE}=${seed}, ${label}, round ${round}`, { cause: error });
    }
    made += c.made;
  }
}

for (const subject of named()) {
  test(`${subject.label} agrees with the reference`, () => {
    compareAll(subject.label, () => subject, CASES);
  });
}

test("Snowflake-SI of every width agrees with the reference", () => {
  const all = snowflakeSIs();
  let next = 0;
  compareAll("snowflake-si", () => all[next++ % all.length] as Subject, CASES);
});

test("layouts of one's own agree with the reference", () => {
  compareAll("snowflake", custom, CASES);
});

test("a sno as a UUID agrees with the reference", () => {
  const random = new Random(seed);
  const [subject] = named() as [Subject];
  const c = new Comparison("sno");
  for (let i = 0; i < CASES / 20; i++) {
    const id = subject.reference.text(random.bits(80));
    const uuid = snoUUID(id);
    const metabyte = Number((subject.reference.read(id) >> 32n) & 255n);
    try {
      c.same(sno.toUUID(id), uuid, "toUUID", id);
      c.same(sno.fromUUID(random.oneIn(2) ? uuid : uuid.toUpperCase()), id, "fromUUID", uuid);
      c.same(sno.metabyte(id), metabyte, "metabyte", id);
    } catch (error) {
      throw new Error(`${SEED_VARIABLE}=${seed}`, { cause: error });
    }
  }
});

test("Ulid-Flake in its other radices agrees with the reference", () => {
  const random = new Random(seed);
  const subjects = named().filter(({ label }) => label.startsWith("ulid-flake"));
  for (let i = 0; i < CASES / 20; i++) {
    const { format, reference, label } = random.pick(subjects);
    const c = new Comparison(label);
    const radix = random.pick([2, 10, 16]);
    const integer = random.edgy(63);
    try {
      c.same(
        format.format(reference.idOf(integer), radix),
        reference.text(integer, radix),
        "format",
        integer,
        radix,
      );
    } catch (error) {
      throw new Error(`${SEED_VARIABLE}=${seed}`, { cause: error });
    }
  }
});

test("Nanoflake and Twitter's layout are the same integers", () => {
  const random = new Random(seed);
  const [, nanoflake, , twitter] = named() as [Subject, Subject, Subject, Subject];
  const verbs: AnyFormat = twitter.format;
  for (let i = 0; i < 1000; i++) {
    const id = random.bits(63);
    const { ticks, generatorId, sequence } = nanoflake.format.inspect(id) as Record<string, number>;
    const parts = {
      ticks,
      datacenterId: (generatorId as number) >> 5,
      workerId: (generatorId as number) & 31,
      sequence,
    };
    assert.equal(verbs.compose(parts), id, `${SEED_VARIABLE}=${seed}`);
  }
});
