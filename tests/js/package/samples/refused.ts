// Code that must not compile: the compiler must reject the line after each comment.

import { type ErrorCode, GraupelError } from "graupel";
import { nanoflake } from "graupel/nanoflake";
import * as read from "graupel/read";
import { sno } from "graupel/sno";
import { discord, mastodon, snowflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake } from "graupel/ulid-flake";

const epoch = Date.UTC(2024, 0, 1);
const orders = snowflakeSI({ epoch });
const numbered = snowflakeSI({ epoch, machineBits: 0 });
const mine = snowflake({ epoch, fields: { time: 41, region: 4, worker: 6, sequence: 12 } });
const worker = { datacenterId: 1, workerId: 2 };

// Generators: required fields.

// @ts-expect-error: a generator needs its worker ID
twitter.generator();
// @ts-expect-error: a machine ID is required if the layout has bits for it
orders.generator({});
// @ts-expect-error: otherwise, there is no machine ID
numbered.generator({ machineId: 1 });
// @ts-expect-error: fixed fields of a declared layout are required
mine.generator({ region: 1 });
// @ts-expect-error: the option is true or false
sno.generator({ isolated: 1 });
// @ts-expect-error: the user must choose the epoch
nanoflake({});
// @ts-expect-error: Discord has no shards
discord.generator({ shardId: 1 });
// @ts-expect-error: only sno has tick-tock
twitter.generator({ datacenterId: 1, workerId: 1, clockBackwards: "tick-tock" });
// @ts-expect-error: undefined is not a machine ID
orders.generator({ machineId: undefined });
// @ts-expect-error: a partition has two bytes, not three
sno.generator({ partition: [1, 2, 3] });

// Generators: options.

// @ts-expect-error: this word is not valid for the policy
mastodon.generator({ sequenceFull: "hold" });
// @ts-expect-error: the option is misspelled
mastodon.generator({ maxWaitMS: 5 });
// @ts-expect-error: a clock returns a number
mastodon.generator({ clock: () => new Date() });
// @ts-expect-error: formats with random values have no such option
ulidFlake.generator({ sequenceStart: "random" });
// @ts-expect-error: only Snowflake-SI has a threshold
twitter.generator({ ...worker, sequenceResetThreshold: 3 });
// @ts-expect-error: the snapshot is from another format
twitter.generator({ snapshot: sno.generator().snapshot() });
// @ts-expect-error: only sno takes a metabyte
mastodon.generator().next(1);
// @ts-expect-error: the count is missing
mastodon.generator().nextMany();
// @ts-expect-error: the time is missing
mastodon.generator().at();

// Return values.

// @ts-expect-error: 64-bit IDs are not numbers
export const a: number = twitter.generator(worker).next();
// @ts-expect-error: Discord's IDs are unsigned
export const b: BigInt64Array = discord.generator({ internalWorkerId: 1, internalProcessId: 1 }).nextTyped(2);
// @ts-expect-error: nextMany returns a plain array
export const b2: BigInt64Array = twitter.generator(worker).nextMany(2);
// @ts-expect-error: there is no typed array for texts
sno.generator().nextTyped(2);
// @ts-expect-error: the ID is a number, not a bigint
export const c: bigint = orders.generator({ machineId: 1 }).next();
// @ts-expect-error: nextAsync returns a promise
export const d: bigint = mastodon.generator().nextAsync();
// @ts-expect-error: this format generates no IDs without a generator
twitter.next();

// Declarations.

// @ts-expect-error: a layout must have a time
snowflake({ epoch, fields: { worker: 10, sequence: 12 } });
// @ts-expect-error: the layout must have the named sequence field
snowflake({ epoch, fields: { time: 41, sequence: 12 }, sequenceField: "increment" });
// @ts-expect-error: there is no such ID type
snowflake({ epoch, fields: { time: 41, sequence: 12 }, ids: "string" });
// @ts-expect-error: the IDs are numbers, not bigints
snowflake({ epoch, fields: { time: 41, sequence: 12 }, ids: "number" }).inspect(1n);
// @ts-expect-error: the sequence field is not an option
snowflake({ epoch, fields: { time: 41, tally: 12 }, sequenceField: "tally" }).generator({ tally: 1 });
// @ts-expect-error: an epoch is a time, not text
nanoflake({ epoch: "2024-01-01" });
// @ts-expect-error: there is no such layout
nanoflake({ epoch, layout: "reference" });
// @ts-expect-error: the widths have other names
snowflakeSI({ epoch, workerBits: 5 });

// IDs and fields.

// @ts-expect-error: the layout has no machine ID
numbered.compose({ ticks: 1, sequence: 2, machineId: 0 });
// @ts-expect-error: an ID needs a time
twitter.compose({ datacenterId: 1, workerId: 2, sequence: 3 });
// @ts-expect-error: a number cannot hold 64 bits
discord.inspect(1234567890);
// @ts-expect-error: the layout declares no such field
mine.inspect(1n).zone;
// @ts-expect-error: no verb accepts a number
twitter.format(5);
// @ts-expect-error: a sno is text
sno.inspect(5);
// @ts-expect-error: a Ulid-Flake is text
ulidFlake.toBytes(5);
// @ts-expect-error: a Snowflake-SI is a number, not a bigint
orders.inspect(5n);
// @ts-expect-error: undefined is not an ID
twitter.format(undefined);
// @ts-expect-error: the format has no such field
twitter.with(1n, { worker: 1 });
// @ts-expect-error: fields are numbers
twitter.with(1n, { workerId: 1n });
// @ts-expect-error: the result is read-only
twitter.inspect(1n).workerId = 2;
// @ts-expect-error: the bytes must be a Uint8Array
twitter.fromBytes([1, 2, 3, 4, 5, 6, 7, 8]);
// @ts-expect-error: Twitter's IDs are always decimal
twitter.format(1n, 36);
// @ts-expect-error: the limits are times, not text
discord.range("2024-01-01");

// `isValid` narrows a value to an ID or the text of an ID.

export function narrowed(input: unknown): void {
  // @ts-expect-error: the value has not been checked yet
  twitter.format(input);
  if (twitter.isValid(input)) {
    twitter.format(input);
    // @ts-expect-error: the value may be valid text
    takeInteger(input);
  }
}
declare function takeInteger(id: bigint): void;

// Errors.

// @ts-expect-error: there is no such code
export const code: ErrorCode = "SEQUENCE_EMPTY";
// @ts-expect-error: users cannot add codes
new GraupelError("OOPS", "");
export function handled(error: unknown): void {
  // @ts-expect-error: the error may have any type
  error.code;
  // @ts-expect-error: codes are a closed list
  if (GraupelError.is(error) && error.code === "CLOCK_FORWARDS") throw error;
}

// `graupel/read`.

// @ts-expect-error: a number may be rounded
read.timestamp(read.discord, 175928847299117060);
// @ts-expect-error: Discord has no shards
read.inspect(read.discord, 1n).shardId;
// @ts-expect-error: the format is the first argument
read.timestamp(1n, read.discord);
// @ts-expect-error: the user must choose the epoch
read.snowflakeSI({});
