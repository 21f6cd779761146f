// A program that uses every entry, with the types of the results. refused.ts has code that must not
// compile.

import {
  type AnyFormat,
  type AnyGenerator,
  type AnyId,
  type CancelSignal,
  type ErrorCode,
  GraupelError,
  type IdOf,
  identify,
} from "graupel";
import { type FieldRole, type FormatFacts, facts } from "graupel/facts";
import { nanoflake } from "graupel/nanoflake";
import * as pure from "graupel/pure";
import * as pureSnowflake from "graupel/pure/snowflake";
import * as reading from "graupel/read";
import { sno } from "graupel/sno";
import { discord, instagram, mastodon, snowflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";

const epoch = Date.UTC(2024, 0, 1);

export const a: string = sno.next(3);
export const people = sno.generator({ partition: 7, clockBackwards: "tick-tock", sequenceFull: "wait" });
export const b: string[] = people.nextMany(10, 1);
export const metabyte: number = sno.inspect(a).metabyte;
export const marked: string = sno.with(a, { metabyte: 9 });

export const flakes = nanoflake({ epoch });
export const c: bigint = flakes.generator({ generatorId: 3 }).next();
export const d: string = flakes.format(c, 16);

export const e: bigint = twitter.generator({ datacenterId: 1, workerId: 2 }).next();
export const increments: number = discord.inspect(175928847299117063n).increment;
export const messages = discord.generator({ internalWorkerId: 1, internalProcessId: 0 });
export const many: bigint[] = messages.nextMany(5);
export const unsigned: BigUint64Array = messages.nextTyped(5);
export const signed: BigInt64Array = twitter.generator({ datacenterId: 1, workerId: 2 }).nextTyped(5);
export const shard: number = instagram.inspect(1n).shardId;
export const time: Date = mastodon.inspect(1n).time;

export const mine = snowflake({
  epoch,
  tickMs: 10,
  fields: { time: 41, region: 4, worker: 6, sequence: 12 },
});
export const region: number = mine.inspect(mine.generator({ region: 1, worker: 2 }).next()).region;

export const small = snowflake({
  epoch: 1704067200000n,
  fields: { time: 41, node: 6, sequence: 6 },
  ids: "number",
});
export const smallId: number = small.generator({ node: 3 }).next();
export const smallIds: Float64Array = small.generator({ node: 3 }).nextTyped(2);
export const tsid = snowflake({
  ...{ epoch, fields: { time: 42, node: 10, counter: 12 } },
  ...{ sequenceField: "counter", ids: "unsigned" },
});
export const tsids: BigUint64Array = tsid.generator({ node: 3 }).nextTyped(2);
export const counter: number = tsid.inspect(tsids[0] ?? 0n).counter;
export const readSmall: number = reading.parse(
  reading.snowflake({ epoch, fields: { time: 41, sequence: 12 }, ids: "number" }),
  "5",
);

export const orders = snowflakeSI({ epoch: new Date(epoch) });
export const f: number = orders.generator({ machineId: 3 }).next();
export const numbers: number[] = orders.generator({ machineId: 3 }).nextMany(10);
export const g: Float64Array = orders.generator({ machineId: 3 }).nextTyped(10);
export const { min, max }: { readonly min: number; readonly max: number } = orders.range(epoch, new Date());

export const flakeTexts: string[] = ulidFlake.generator().nextMany(10);
export const h: string = ulidFlake.withEpoch(epoch).generator({ entropySize: 2 }).nextText();
export const scalability: number = ulidFlakeScalable.inspect(h).scalability;
export const later: Promise<string> = ulidFlake.generator().nextAsync();

export const sent: number = reading.timestamp(reading.discord, "175928847299117063");
export const message: IdOf<typeof discord> = reading.parse(reading.discord, "175928847299117063");
export const counted: number = reading.inspect(reading.discord, message).increment;
const regions: reading.ReadFormat<bigint, "region" | "sequence"> = reading.snowflake({
  epoch,
  fields: { time: 41, region: 10, sequence: 12 },
});
export const readRegion: number = reading.inspect(regions, message).region;
export const rows: { readonly min: number; readonly max: number } = reading.range(
  reading.snowflakeSI({ epoch }),
);
export const isRead = (x: unknown): bigint | string | undefined =>
  reading.isValid(reading.discord, x) ? x : undefined;
export const readLater: string = reading.parse(reading.withEpoch(reading.ulidFlake, epoch), h);

export const names: string[] = identify(a).map((candidate) => candidate.name);
export function code(error: unknown): string {
  return GraupelError.is(error) ? error.code : "";
}

/**
 * Values from drivers, forms and snapshots: text for every verb, generators without their fields,
 * and ranges with an open end.
 */
export function fromOutside(input: unknown, text: string): bigint {
  if (twitter.isValid(input)) {
    const narrowed: bigint | string = input;
    return twitter.parse(narrowed);
  }
  const { workerId }: { readonly workerId: number } = twitter.inspect(text);
  const bytes: Uint8Array = twitter.toBytes(text);
  return twitter.with(text, { workerId: workerId + bytes.length }) + BigInt(twitter.compare(text, 1n));
}
const { snapshot } = { snapshot: twitter.generator({ datacenterId: 1, workerId: 2 }).snapshot() };
export const restored = twitter.generator({ snapshot, notBefore: new Date() });
export const alone = sno.generator({ isolated: true, notBefore: epoch });
export const none = mastodon.generator();
export const since = discord.range(epoch);
export const until = discord.range(undefined, new Date());
export const again: bigint = twitter.compose(twitter.inspect(1n));
export const numbered = snowflakeSI({ epoch, machineBits: 0 });
export const i: number = numbered.compose({ ticks: 1, sequence: 2 });
export const j: number = numbered.generator().next();
export const wide = snowflakeSI({ epoch, sequenceBits: 13 }).generator({ sequenceStart: "continue" });
export const logged: string = JSON.stringify(new GraupelError("RANGE", "x").toJSON());

// The package names no types that are missing without the declarations of the DOM or Node.
declare const signal: CancelSignal;
export const waited: Promise<number> = orders.generator({ machineId: 1 }).nextAsync({ signal });
export const patient: Promise<string> = people.nextAsync({ metabyte: 2 });

/** After `isValid` returns false, the text keeps its type. */
export const shown = (text: string): string => (sno.isValid(text) ? text : text.slice(0, 8));
export const texts: string[] = ["a", "b"].filter(sno.isValid);
export const known = (values: readonly unknown[]): (bigint | string)[] => values.filter(twitter.isValid);
/** The natural type of a number format is `number`. */
export const whole = (input: unknown): number => (orders.isValid(input) ? orders.parse(input) : -1);

/** The JavaScript core has the same types. */
export const same: typeof twitter = pureSnowflake.twitter;
export const all: typeof import("graupel") = pure;

export function bounds(error: GraupelError): readonly [ErrorCode, number | bigint | undefined] {
  return [error.code, error.range?.max];
}
export const checked: string | readonly { readonly message: string }[] = (() => {
  const result = sno["~standard"].validate(a);
  return result.issues ?? result.value;
})();

/** Formats and generators are assignable to `AnyFormat` and `AnyGenerator` without a cast. */
export const anyFormats: readonly AnyFormat[] = [
  ...[
    sno,
    flakes,
    twitter,
    discord,
    instagram,
    mastodon,
    mine,
    small,
    tsid,
    orders,
    ulidFlake,
    ulidFlakeScalable,
  ],
];
export const anyGenerators: readonly AnyGenerator[] = [
  people,
  messages,
  flakes.generator({ generatorId: 3 }),
];
export const anyId: AnyId | undefined = anyFormats[0]?.generator().next();
export const roles: readonly (FieldRole | undefined)[] = Object.values(facts).map(
  ({ fields }: FormatFacts) => fields?.[1]?.role,
);

/** The methods of a type that do not declare that they need no `this`. */
type Bound<T> = {
  [K in keyof T]: T[K] extends (...args: never[]) => unknown
    ? unknown extends ThisParameterType<T[K]>
      ? K
      : never
    : never;
}[keyof T];
type Formats = [
  typeof sno,
  typeof discord,
  typeof mine,
  typeof flakes,
  typeof orders,
  typeof ulidFlakeScalable,
  ReturnType<typeof identify>[number]["format"],
];
type Generators = [typeof people, typeof restored, typeof wide];
type AnyBound<Types extends readonly unknown[]> = { [I in keyof Types]: Bound<Types[I]> }[number];
/** Methods can be passed on without their object. */
export const bound = (name: AnyBound<Formats> | AnyBound<Generators>): never => name;
export const { next } = people;
export const read: (text: string) => bigint = twitter.parse;
