// What must not compile: each comment is followed by one line that the compiler refuses.

import { type ErrorCode, GraupelError } from "graupel";
import { nanoflake } from "graupel/nanoflake";
import * as read from "graupel/read";
import { sno } from "graupel/sno";
import { discord, mastodon, snowflake, sonyflake, twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { ulidFlake, ulidFlakeScalable } from "graupel/ulid-flake";

const epoch = Date.UTC(2024, 0, 1);
const flakes = nanoflake({ epoch });
const orders = snowflakeSI({ epoch });
const numbered = snowflakeSI({ epoch, machineBits: 0 });
const mine = snowflake({ epoch, fields: { time: 41, region: 4, worker: 6, sequence: 12 } });
const worker = { datacenterId: 1, workerId: 2 };

// Generators: the fields that they need.

// @ts-expect-error: a generator needs its worker ID
twitter.generator();
// @ts-expect-error: and its datacenter ID
twitter.generator({ workerId: 1 });
// @ts-expect-error: a Nanoflake generator needs its generator ID
flakes.generator({ maxWaitMs: 5 });
// @ts-expect-error: a machine ID, if the layout has bits for it
orders.generator({});
// @ts-expect-error: and none otherwise
numbered.generator({ machineId: 1 });
// @ts-expect-error: fixed fields of a declared layout are required
mine.generator({ region: 1 });
// @ts-expect-error: true or false
sno.generator({ isolated: 1 });
// @ts-expect-error: the user must choose the epoch
nanoflake({});
// @ts-expect-error: Discord has no shards
discord.generator({ shardId: 1 });
// @ts-expect-error: only sno has tick-tock
twitter.generator({ datacenterId: 1, workerId: 1, clockBackwards: "tick-tock" });
// @ts-expect-error: undefined is no machine ID
orders.generator({ machineId: undefined });
// @ts-expect-error: nor is text
orders.generator({ machineId: "3" });
// @ts-expect-error: Sonyflake needs its machine
sonyflake.generator();
// @ts-expect-error: it has no such field besides
sonyflake.generator({ machineId: 1, workerId: 1 });
// @ts-expect-error: sno calls it partition
sno.generator({ machineId: 1 });
// @ts-expect-error: two bytes, not three
sno.generator({ partition: [1, 2, 3] });
// @ts-expect-error: the stand-alone Ulid-Flake has no number
ulidFlake.generator({ scalability: 1 });
// @ts-expect-error: options are one object
ulidFlakeScalable.generator(1);

// Generators: options.

// @ts-expect-error: a policy is one of its words
mastodon.generator({ sequenceFull: "hold" });
// @ts-expect-error: an option misspelt
mastodon.generator({ maxWaitMS: 5 });
// @ts-expect-error: a clock answers with a number
mastodon.generator({ clock: () => new Date() });
// @ts-expect-error: random values start anywhere
ulidFlake.generator({ sequenceStart: "random" });
// @ts-expect-error: only Snowflake-SI has a threshold
twitter.generator({ ...worker, sequenceResetThreshold: 3 });
// @ts-expect-error: a snapshot of another kind
twitter.generator({ snapshot: sno.generator().snapshot() });
// @ts-expect-error: a snapshot is an object, not its JSON
sno.generator({ snapshot: "{}" });
// @ts-expect-error: only sno takes a metabyte
mastodon.generator().next(1);
// @ts-expect-error: how many?
mastodon.generator().nextMany();
// @ts-expect-error: at which time?
mastodon.generator().at();

// What they return.

// @ts-expect-error: 64 bits are no number
export const a: number = twitter.generator(worker).next();
// @ts-expect-error: Discord's are unsigned
export const b: BigInt64Array = discord.generator({ internalWorkerId: 1, internalProcessId: 1 }).nextTyped(2);
// @ts-expect-error: a plain array
export const b2: BigInt64Array = twitter.generator(worker).nextMany(2);
// @ts-expect-error: texts have no typed array
sno.generator().nextTyped(2);
// @ts-expect-error: neither these
ulidFlake.generator().nextTyped(2);
// @ts-expect-error: a number, not a bigint
export const c: bigint = orders.generator({ machineId: 1 }).next();
// @ts-expect-error: a promise
export const d: bigint = mastodon.generator().nextAsync();
// @ts-expect-error: there is no ID without a generator in this format
twitter.next();

// Declarations.

// @ts-expect-error: a layout has a time
snowflake({ epoch, fields: { worker: 10, sequence: 12 } });
// @ts-expect-error: and a sequence
snowflake({ epoch, fields: { time: 41, worker: 10 } });
// @ts-expect-error: and the field that it names
snowflake({ epoch, fields: { time: 41, sequence: 12 }, sequenceField: "increment" });
// @ts-expect-error: IDs are one of three kinds
snowflake({ epoch, fields: { time: 41, sequence: 12 }, ids: "string" });
// @ts-expect-error: safe numbers are no bigints
snowflake({ epoch, fields: { time: 41, sequence: 12 }, ids: "number" }).inspect(1n);
// @ts-expect-error: a field that counts is no option
snowflake({ epoch, fields: { time: 41, tally: 12 }, sequenceField: "tally" }).generator({ tally: 1 });
// @ts-expect-error: an epoch is a time, not text
nanoflake({ epoch: "2024-01-01" });
// @ts-expect-error: no such layout
nanoflake({ epoch, layout: "reference" });
// @ts-expect-error: the widths have their own names
snowflakeSI({ epoch, workerBits: 5 });

// IDs and fields.

// @ts-expect-error: the layout has no machine ID
numbered.compose({ ticks: 1, sequence: 2, machineId: 0 });
// @ts-expect-error: an ID has a time
twitter.compose({ datacenterId: 1, workerId: 2, sequence: 3 });
// @ts-expect-error: and all of its other fields
twitter.compose({ timestamp: epoch, datacenterId: 1, workerId: 2 });
// @ts-expect-error: a number cannot hold 64 bits
discord.inspect(1234567890);
// @ts-expect-error: the layout declares no such field
mine.inspect(1n).zone;
// @ts-expect-error: in no verb
twitter.format(5);
// @ts-expect-error: a sno is text
sno.inspect(5);
// @ts-expect-error: and no integer
sno.format(5n);
// @ts-expect-error: a Ulid-Flake is text
ulidFlake.toBytes(5);
// @ts-expect-error: Snowflake-SI is a number, no bigint
orders.inspect(5n);
// @ts-expect-error: undefined is no ID
twitter.format(undefined);
// @ts-expect-error: fields have the names of their own format
twitter.compose({ timestamp: epoch, datacenterId: 1, machineId: 2, sequence: 3 });
// @ts-expect-error: a field that is not there cannot change
twitter.with(1n, { worker: 1 });
// @ts-expect-error: fields are numbers
twitter.with(1n, { workerId: 1n });
// @ts-expect-error: the result cannot be changed
twitter.inspect(1n).workerId = 2;
// @ts-expect-error: bytes, not an array
twitter.fromBytes([1, 2, 3, 4, 5, 6, 7, 8]);
// @ts-expect-error: radices that the format names
ulidFlake.format("00CMXB6TAK4SA", 36);
// @ts-expect-error: Twitter's are decimal
twitter.format(1n, 36);
// @ts-expect-error: from and to are times
discord.range("2024-01-01");

// isValid says that it is an ID, or the text of one, and no more.

export function narrowed(input: unknown): void {
  // @ts-expect-error: not looked at yet
  twitter.format(input);
  if (twitter.isValid(input)) {
    twitter.format(input);
    // @ts-expect-error: valid text is valid too
    takeInteger(input);
  }
}
declare function takeInteger(id: bigint): void;

// Errors.

// @ts-expect-error: there is no such code
export const code: ErrorCode = "SEQUENCE_EMPTY";
// @ts-expect-error: nor can one be made up
new GraupelError("OOPS", "");
export function handled(error: unknown): void {
  // @ts-expect-error: it may be any error
  error.code;
  // @ts-expect-error: codes are a closed list
  if (GraupelError.is(error) && error.code === "CLOCK_FORWARDS") throw error;
}

// Reading alone.

// @ts-expect-error: a number may be rounded
read.timestamp(read.discord, 175928847299117060);
// @ts-expect-error: Discord has no shards
read.inspect(read.discord, 1n).shardId;
// @ts-expect-error: a format comes first
read.timestamp(1n, read.discord);
// @ts-expect-error: the user must choose the epoch
read.snowflakeSI({});
