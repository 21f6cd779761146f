// A program that uses each entry, with its results' types spelled out, and what the types must not allow.

import { GraupelError, identify } from "graupel";
import { nanoflake } from "graupel/nanoflake";
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
export const many: BigUint64Array = discord
  .generator({ internalWorkerId: 1, internalProcessId: 0 })
  .nextMany(5);
export const shard: number = instagram.inspect(1n).shardId;
export const time: Date = mastodon.inspect(1n).time;

export const mine = snowflake({
  epoch,
  tickMs: 10,
  fields: { time: 41, region: 4, worker: 6, sequence: 12 },
});
export const region: number = mine.inspect(mine.generator({ region: 1, worker: 2 }).next()).region;

export const orders = snowflakeSI({ epoch: new Date(epoch) });
export const f: number = orders.generator({ machineId: 3 }).next();
export const g: Float64Array = orders.generator({ machineId: 3 }).nextMany(10);
export const { min, max }: { readonly min: number; readonly max: number } = orders.range(epoch, new Date());

export const h: string = ulidFlake.withEpoch(epoch).generator({ entropySize: 2 }).nextText();
export const scalability: number = ulidFlakeScalable.inspect(h).scalability;
export const later: Promise<string> = ulidFlake.generator().nextAsync();

export const names: string[] = identify(a).map((candidate) => candidate.name);
export function code(error: unknown): string {
  return GraupelError.is(error) ? error.code : "";
}

// @ts-expect-error: the epoch is the user's to choose
nanoflake({});
// @ts-expect-error: Discord has no shards
discord.generator({ shardId: 1 });
// @ts-expect-error: tick-tock is sno's
twitter.generator({ datacenterId: 1, workerId: 1, clockBackwards: "tick-tock" });
// @ts-expect-error: a number cannot hold 64 bits
discord.inspect(1234567890);
// @ts-expect-error: the layout declares no such field
mine.inspect(1n).zone;
