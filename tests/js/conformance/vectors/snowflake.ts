// The dialects of Snowflake.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { ROWS } from "../../support/formats.ts";
import { formatOf, specOf } from "../../support/row.ts";
import { type Codec, checkCodec } from "./codec.ts";
import { bytes, File, type Item, list, number, text } from "./data.ts";
import { PATIENCE, runTrace } from "./integers.ts";
import { discord, instagram, mastodon, twitter } from "./package.ts";
import { outcome, refused, ScriptedClock } from "./script.ts";
import type { Verdict } from "./tally.ts";

/** The dialects: their formats, and the names of their fields, high to low, without the time. */
export const DIALECTS = new Map(
  ROWS.filter(({ page, format }) => /^(snow|sony)flake$/.test(page) && typeof format === "object").map(
    (row) => [row.name, { format: formatOf(row), fields: specOf(row).fields.slice(1), counts: row.counts }],
  ),
);

function dialect(item: Item) {
  return DIALECTS.get(item.text("variant")) ?? assert.fail(`unknown dialect ${item.text("variant")}`);
}

export function codec(item: Item): Verdict {
  const { format, fields: names } = dialect(item);
  const id = BigInt(item.text("integer"));
  if (id < 0n) {
    refused(() => format.parse(id), "RANGE");
    refused(() => format.fromBigInt(id), "RANGE");
    // An ID has at most 19 decimal digits.
    refused(() => format.parse(String(id)), String(id).length > 19 ? "LENGTH" : "CHARACTER");
    refused(() => format.fromBytes(bytes(item.text("hex"))), "OVERFLOW");
    return "mastodon-negative";
  }
  const values = item.list("fields").map(number);
  const fields = Object.fromEntries(names.map(([name], index) => [name, values[index] ?? 0]));
  checkCodec(format as unknown as Codec<bigint>, {
    id,
    text: item.text("integer"),
    hex: item.text("hex"),
    timestamp: item.number("timestamp"),
    ticks: item.number("ticks"),
    fields,
  });
  if (item.get("generated") !== null) {
    checkGenerated(item, fields);
  }
  return undefined;
}

/** The ID that a database function made from a time in microseconds and a counter. */
function checkGenerated(item: Item, fields: Readonly<Record<string, number>>): void {
  const [microseconds, nextval, table] = list(item.get("generated"));
  const ms = number(microseconds) / 1000;
  const clock = new ScriptedClock();
  clock.set(0, ms);
  const { read } = clock;
  // A generator's clock and a given time are rounded as the function does it: down, or to the nearest millisecond.
  if (item.text("variant") === "instagram") {
    assert.equal(fields.sequence, number(nextval) % 1024, "sequence");
    const { shardId } = fields as { shardId: number };
    const live = instagram.generator({ shardId, clock: read, isolated: true }).next();
    for (const id of [live, instagram.generator({ shardId, clock: () => ms, isolated: true }).at(ms)]) {
      assert.equal(
        instagram.with(id, { sequence: fields.sequence ?? 0 }),
        BigInt(item.text("integer")),
        "generated",
      );
    }
    return;
  }
  for (const id of [
    mastodon.generator({ clock: read, isolated: true }).next(),
    mastodon.generator({ clock: () => ms, isolated: true }).at(ms),
  ]) {
    assert.equal(mastodon.inspect(id).ticks, item.number("ticks"), "ticks");
    // The function hides the counter behind a hash of the table's name, a salt and the time. A user can do that, too.
    const time = mastodon.with(id, { sequenceData: 0 });
    const hash = createHash("md5")
      .update(`${text(table)}${SALT}${time}`)
      .digest();
    const sequenceData = (hash.readUInt16BE() + number(nextval)) & 0xffff;
    assert.equal(mastodon.with(id, { sequenceData }), BigInt(item.text("integer")), "generated");
  }
}

const SALT = text(new File("snowflake").head("mastodonSalt"));

/** What Twitter's program does. */
const POLICY = { clockBackwards: "throw", sequenceFull: "wait" } as const;

export async function trace(item: Item): Promise<Verdict> {
  const ids = { datacenterId: item.number("datacenterId"), workerId: item.number("workerId") };
  const stands = await runTrace(item, () => {
    const clock = new ScriptedClock();
    return {
      clock,
      format: twitter,
      generator: twitter.generator({
        ...POLICY,
        ...ids,
        clock: clock.read,
        maxWaitMs: PATIENCE,
        isolated: true,
      }),
      id: (recorded) => BigInt(text(recorded)),
      mask: 0xfffn,
      codes: { backwards: "CLOCK_BACKWARDS" },
      excuse: ({ code }, recorded, { now }) => {
        const before = code === "BEFORE_EPOCH" && now < twitter.epoch;
        const after = code === "END_OF_LIFE" && now > twitter.endOfLife;
        return (before || after) && BigInt(text(recorded)) < 0n ? "twitter-range" : undefined;
      },
    };
  });
  if (item.number("initialSequence") === 0) {
    return stands;
  }
  // The reference's constructor takes a first sequence, which the first ID drops.
  assert.equal(stands, undefined);
  const initialSequence = item.number("initialSequence");
  refused(() => twitter.generator({ ...ids, initialSequence } as never), "UNKNOWN_OPTION");
  return "twitter-service";
}

/** Programs that continue at the highest reading when the clock goes back, and wait when the sequence is full. */
export function held(item: Item): Verdict {
  const { format, fields, counts } = dialect(item);
  const names = fields.map(([name]) => name);
  const fixed = names
    .filter((name) => name !== counts)
    .map((name, index) => [name, item.list("fixed")[index]]);
  const below = fields.slice(names.indexOf(counts) + 1).reduce((sum, [, bits]) => sum + bits, 0);
  const clock = new ScriptedClock();
  const generator = format.generator({
    ...Object.fromEntries(fixed),
    clock: clock.read,
    maxWaitMs: PATIENCE,
    isolated: true,
  });
  for (const [op, readings, ...recorded] of item.steps()) {
    clock.set(readings, item.number("start"), format.layout.tickMs);
    if (op === "error") {
      refused(() => generator.next(), "END_OF_LIFE");
    } else if (op === "fill") {
      // This many IDs at one reading.
      const [count, first, last] = recorded;
      const ids = generator.nextMany(number(count));
      const wanted = ids.map((_, index) => BigInt(text(first)) + (BigInt(index) << BigInt(below)));
      assert.deepEqual(ids, wanted);
      assert.equal(ids.at(-1), BigInt(text(last)));
    } else {
      assert.equal(generator.next(), BigInt(text(recorded[0])));
    }
  }
  return undefined;
}

export function idAt(item: Item): Verdict {
  const from = item.number("seconds") * 1000;
  const [min, max] = ["min", "max"].map((bound) => BigInt(item.text(bound)));
  assert.ok(min !== undefined && max !== undefined);
  const found = outcome(() => mastodon.range(from, from + 1000));
  if (found.code !== undefined) {
    assert.ok(min < 0n);
    assert.equal(found.code, "BEFORE_EPOCH");
    return "mastodon-negative";
  }
  assert.equal(mastodon.compose({ timestamp: from, sequenceData: 0 }), min);
  if (max < 2n ** 63n) {
    assert.deepEqual(found.value, { min, max });
    assert.equal(mastodon.compose({ timestamp: from + 999, sequenceData: 0xffff }), max);
    return undefined;
  }
  // The format ends within that second.
  assert.ok(mastodon.endOfLife < from + 999);
  assert.deepEqual(found.value, { min, max: 2n ** 63n - 1n });
  return "mastodon-range";
}

export function config(item: Item): Verdict {
  switch (item.text("op")) {
    case "new_worker": {
      const [datacenterId, workerId] = item.list("input").map(number) as [number, number];
      const make = () => twitter.generator({ datacenterId, workerId });
      if (item.text("result") === "error") {
        refused(make, "RANGE");
      } else {
        make();
      }
      return undefined;
    }
    case "valid_useragent": {
      const options = { datacenterId: 1, workerId: 1, useragent: item.text("input") };
      refused(() => twitter.generator(options as never), "UNKNOWN_OPTION");
      return "twitter-service";
    }
    case "witness_parse":
      return witnessParse(item);
    case "witness_generate":
      return witnessGenerate(item);
    default:
      return assert.fail(`unknown ${item.text("op")}`);
  }
}

/** Where the two differ, only the witness accepts the text, which is not canonical or not an ID. */
function witnessParse(item: Item): Verdict {
  const input = item.text("input");
  const found = outcome(() => discord.parse(input));
  const wanted = item.get("integer");
  if (found.code === undefined) {
    assert.equal(String(found.value), wanted, "accepted what the witness refuses");
    return undefined;
  }
  assert.ok(["LENGTH", "CHARACTER", "NOT_CANONICAL", "OVERFLOW"].includes(found.code), found.code);
  return wanted === null ? undefined : "witness";
}

function witnessGenerate(item: Item): Verdict {
  const [timestamp, internalWorkerId, internalProcessId, increment] = item.list("input").map(Number);
  const fields = { timestamp, internalWorkerId, internalProcessId, increment };
  const found = outcome(() => discord.compose(fields as Parameters<typeof discord.compose>[0]));
  if (found.code === undefined) {
    assert.equal(found.value, BigInt(item.text("integer")));
    return undefined;
  }
  assert.ok(["RANGE", "BEFORE_EPOCH"].includes(found.code), found.code);
  return "witness";
}
