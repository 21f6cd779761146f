/** Cases against the functions that make formats: nanoflake, snowflakeSI, snowflake. */
import { nanoflake } from "graupel/nanoflake";
import { snowflake } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import type { AnyFormat } from "../../support/any-format.ts";
import {
  customSpec,
  nanoflake24Spec,
  nanoflakeSpec,
  Reference,
  type Spec,
  snowflakeSISpec,
} from "../../support/reference.ts";
import { declaration } from "../../support/subjects.ts";
import { bag } from "./objects.ts";
import { epochOf, type Faults, wholeFault } from "./oracle.ts";
import type { Context } from "./verbs.ts";

/** Compares a format with the reference of its declaration: facts, and two IDs. */
function check({ outcomes, junk }: Context, made: unknown, spec: Spec): void {
  const format = made as AnyFormat;
  const r = new Reference(spec);
  outcomes.expect(format.epoch === spec.epoch && !Object.is(format.epoch, -0), () => `epoch ${format.epoch}`);
  const end = r.timestamp(r.lastTick);
  outcomes.expect(format.endOfLife === end, () => `endOfLife ${format.endOfLife}, the reference says ${end}`);
  for (const id of [r.largest, junk.random.bits(64) % (r.largest + 1n)]) {
    const value = r.idOf(id);
    const outcome = outcomes.run(() => {
      const seen = format.inspect(value);
      return format.with(format.compose(seen), { ticks: seen.ticks });
    });
    outcomes.verdict(outcome, new Set(), (seen) =>
      outcomes.expect(seen === value, () => `compose(inspect(${String(value)})) is ${String(seen)}`),
    );
  }
}

/** Spoils some of the values of a declaration. */
function spoil({ junk }: Context, values: Map<string, unknown>, keys: readonly string[]): void {
  for (let i = junk.random.pick([0, 0, 1, 1, 2]); i > 0; i--) {
    const key = junk.random.pick(keys);
    const value = junk.random.make<unknown>(
      () => junk.any(),
      () => junk.time(),
      () => junk.random.below(60),
      () => undefined,
    );
    values.set(key, value);
  }
}

function settle(
  context: Context,
  given: ReturnType<typeof bag>,
  call: () => unknown,
  verdict: () => Spec | Faults,
): void {
  const { outcomes } = context;
  const outcome = outcomes.run(call);
  if (given.loose || outcome.kind === "own") {
    const trap = outcome.kind === "own" && outcome.origin === "trap";
    outcomes.expect(given.throws || given.loose || trap, () => "threw what no getter threw");
    return;
  }
  const spec = verdict();
  const faults = new Set([...given.faults, ...(spec instanceof Set ? spec : [])]);
  if (given.throws) {
    outcomes.expect(outcome.kind !== "value", () => "did not read an option that throws");
    return;
  }
  outcomes.verdict(outcome, faults, (made) => check(context, made, spec as Spec));
}

export function nanoflakes(context: Context): void {
  const { outcomes, junk } = context;
  const known = ["epoch", "layout"];
  const values = new Map<string, unknown>([["epoch", junk.random.below(2 ** 31) * 1000]]);
  if (junk.random.oneIn(2)) {
    values.set("layout", "reference-24");
  }
  spoil(context, values, known);
  const given = bag(junk, values, known, "UNKNOWN_OPTION");
  outcomes.begin("nanoflake()", given.object);
  settle(
    context,
    given,
    () => nanoflake(given.object as { epoch: number }),
    () => {
      const layout = given.values.get("layout");
      const old = layout === "reference-24";
      const epoch = epochOf(given.values.get("epoch"), 2n ** (old ? 39n : 41n) - 1n);
      if (typeof epoch === "string" || (layout !== undefined && !old)) {
        return new Set([...(typeof epoch === "string" ? [epoch] : []), "TYPE"]);
      }
      return old ? nanoflake24Spec(epoch + 0) : nanoflakeSpec(epoch + 0);
    },
  );
}

/** The first epoch whose 40 bits of milliseconds reach past January 2038. */
const FIRST_EPOCH_40 = 2_147_483_647_000 - 2 ** 40 + 1;

export function snowflakeSIs(context: Context): void {
  const { outcomes, junk } = context;
  const { random } = junk;
  const known = ["epoch", "clockBits", "machineBits", "sequenceBits"];
  const early = FIRST_EPOCH_40 + random.between(-2, 2);
  const values = new Map<string, unknown>([["epoch", random.oneIn(4) ? early : Date.UTC(2024, 0, 1)]]);
  for (const [key, low, high] of [
    ["clockBits", 40, 41],
    ["machineBits", 0, 12],
    ["sequenceBits", 1, 13],
  ] as const) {
    if (random.oneIn(2)) {
      values.set(key, random.between(low, high));
    }
  }
  spoil(context, values, known);
  const given = bag(junk, values, known, "UNKNOWN_OPTION");
  outcomes.begin("snowflakeSI()", given.object);
  settle(
    context,
    given,
    () => snowflakeSI(given.object as { epoch: number }),
    () => {
      const [clock, machine, sequence] = ["clockBits", "machineBits", "sequenceBits"].map((key) =>
        given.values.get(key),
      );
      const faults: Faults = new Set();
      const width = (value: unknown, max: number, min: number) => {
        const fault = value === undefined ? undefined : wholeFault(value, max, min);
        if (fault !== undefined) {
          faults.add(fault);
        }
        return fault === undefined ? (value as number | undefined) : undefined;
      };
      const clockBits = width(clock, 41, 40) ?? 40;
      const rest = 53 - clockBits;
      const [m, s] = [width(machine, 12, 0), width(sequence, 13, 1)];
      const machineBits = m ?? (s === undefined ? 5 : rest - s);
      const sequenceBits = s ?? rest - machineBits;
      const epoch = epochOf(given.values.get("epoch"), 2n ** BigInt(clockBits) - 1n);
      if (typeof epoch === "string") {
        faults.add(epoch);
      } else if (epoch < (clockBits === 40 ? FIRST_EPOCH_40 : 0)) {
        faults.add("RANGE");
      }
      if (machineBits + sequenceBits !== rest) {
        faults.add("CONFLICT");
      }
      if (machineBits < 0 || machineBits > 12 || sequenceBits < 1 || sequenceBits > 13) {
        faults.add("RANGE");
      }
      return faults.size > 0
        ? faults
        : snowflakeSISpec(epoch as number, clockBits, machineBits, sequenceBits);
    },
  );
}

const NAMES = ["worker", "region", "_", "A9", "time", "timestamp", "ticks", "clock", "snapshot", "maxWaitMs"];
const BAD_NAMES = [
  "",
  "9",
  "0x",
  "a b",
  "a-b",
  "ä",
  "constructor",
  "toString",
  "__proto__",
  "a\n",
  "_\u200b",
];

export function snowflakes(context: Context): void {
  const { outcomes, junk } = context;
  const { random } = junk;
  const right = declaration(random);
  const widths = new Map<string, unknown>(Object.entries(right.fields));
  const keys = [...widths.keys()];
  let badName = false;
  for (let i = random.pick([0, 0, 0, 1, 2]); i > 0; i--) {
    switch (random.below(4)) {
      case 0:
        widths.set(random.pick(keys), random.oneIn(2) ? random.between(1, 60) : junk.any());
        break;
      case 1:
        widths.delete(random.pick(keys));
        break;
      default: {
        const name = random.pick(random.oneIn(2) ? NAMES : BAD_NAMES);
        badName ||= BAD_NAMES.includes(name) || NAMES.indexOf(name) > 4;
        widths.set(name, random.between(1, 12));
      }
    }
  }
  const known = ["epoch", "tickMs", "fields"];
  const fields = bag(junk, widths, [...widths.keys(), "constructor", "__proto__"], "UNKNOWN_FIELD");
  const values = new Map<string, unknown>([
    ["epoch", right.epoch],
    ["tickMs", right.tickMs],
    ["fields", fields.object],
  ]);
  spoil(context, values, random.oneIn(2) ? known : ["tickMs"]);
  const given = bag(junk, values, known, "UNKNOWN_OPTION");
  outcomes.begin("snowflake()", given.object, fields.object);
  const same = given.values.get("fields") === fields.object;
  // The fields object has other than plain own fields: only the kind of the outcome is checked.
  const hidden = Object.keys(Object(plainKeys(fields.object))).length !== widths.size;
  const loose = given.loose || (same && (fields.loose || fields.faults.size > 0 || hidden));
  settle(
    context,
    { ...given, loose, throws: given.throws || (same && fields.throws) },
    () => snowflake(given.object as { epoch: number; fields: { time: number; sequence: number } }),
    () => {
      const faults: Faults = new Set();
      if (!same) {
        faults.add("TYPE").add("CONFLICT").add("RANGE").add("UNKNOWN_FIELD");
      }
      const bits = [...widths.values()].map((width) => wholeFault(width, 53, 1) ?? (width as number));
      for (const fault of bits) {
        if (typeof fault === "string") {
          faults.add(fault);
        }
      }
      const names = [...widths.keys()];
      if (badName) {
        faults.add("UNKNOWN_FIELD");
      }
      if (names[0] !== "time" || !names.includes("sequence")) {
        faults.add("CONFLICT");
      }
      const wide = bits.map((width) => (typeof width === "number" ? width : 0));
      const sum = wide.reduce((a, b) => a + b, 0);
      if (sum > 64) {
        faults.add("RANGE");
      }
      const tickMs = given.values.get("tickMs") === undefined ? 1 : given.values.get("tickMs");
      const tickFault = wholeFault(tickMs, 2 ** 32 - 1, 1);
      if (tickFault !== undefined) {
        faults.add(tickFault);
      }
      const time = (wide[0] ?? 0) - (sum === 64 ? 1 : 0);
      const span =
        (2n ** BigInt(Math.max(0, time)) - 1n) * BigInt(tickFault === undefined ? (tickMs as number) : 1);
      const epoch = epochOf(given.values.get("epoch"), span);
      if (typeof epoch === "string") {
        faults.add(epoch);
      }
      if (span > BigInt(Number.MAX_SAFE_INTEGER)) {
        faults.add("RANGE");
      }
      return faults.size > 0
        ? faults
        : customSpec(
            (epoch as number) + 0,
            tickMs as number,
            Object.fromEntries(widths) as Record<string, number>,
          );
    },
  );
}

/** The object itself, unless reading its keys may throw. */
function plainKeys(object: unknown): object {
  try {
    return Object.fromEntries(Object.keys(object as object).map((key) => [key, true]));
  } catch {
    return {};
  }
}
