// Every vector of the Snowflake dialects.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { encode } from "graupel/encode";
import { discord, mastodon, twitter } from "graupel/snowflake";
import { facts, make, NAMES } from "../support/make.ts";
import { checkCodec, checkNegative, fieldsOf } from "./vectors/codec.ts";
import { File, type Item, pick } from "./vectors/data.ts";
import { agrees, refused } from "./vectors/script.ts";
import { vectors } from "./vectors/tally.ts";
import { PATIENCE, Player, playTrace } from "./vectors/trace.ts";

const SALT = new File("snowflake").head("mastodonSalt");

const DIALECTS = NAMES.filter((name) => facts[name].id.type === "bigint" && !facts[name].declared);

function dialect(item: Item) {
  const name = DIALECTS.find((one) => one === item.variant);
  return make(name ?? assert.fail(`unknown dialect ${item.variant}`));
}

function codec(item: Item): void {
  const format = dialect(item);
  const integer = item.integer;
  if (integer.startsWith("-")) {
    checkNegative(format, item, integer, facts.mastodon.text.longest);
    return;
  }
  const fields = fieldsOf(format, item.fields);
  checkCodec(format, item, BigInt(integer), integer, fields);
  if (item.generated !== null) checkGenerated(item, fields);
}

/** Checks the ID that a database function generated from a time in microseconds and a counter. */
function checkGenerated(item: Item, fields: Readonly<Record<string, number>>): void {
  const [microseconds, nextval, table] = item.generated;
  const ms = microseconds / 1000;
  const format = dialect(item);
  const { shardId } = fields;
  const generator = () =>
    format.generator({ ...(shardId !== undefined && { shardId }), clock: () => ms, isolated: true });
  // Generators and `at` round a time like the function: down, or to the nearest millisecond.
  for (const id of [generator().next(), generator().at(ms)] as bigint[]) {
    assert.equal((format.inspect(id) as { ticks: number }).ticks, item.ticks, "ticks");
    let own = { sequence: nextval % 1024 } as Record<string, number>;
    if (item.variant === "mastodon") {
      // The function hides the counter behind a hash of the table's name, a salt and the time.
      // Users can do the same.
      const time = mastodon.with(id, { sequenceData: 0 });
      const hash = createHash("md5").update(`${table}${SALT}${time}`).digest();
      own = { sequenceData: (hash.readUInt16BE() + nextval) & 0xffff };
    }
    assert.equal(format.with(id, own), BigInt(item.integer), "generated");
  }
}

/** Plays a trace of a dialect under these policies. */
const played = (item: Item, options: object) =>
  playTrace(item, (way) => new Player(dialect(item), item.start, way, { ...options, maxWaitMs: PATIENCE }));

async function trace(item: Item): Promise<void> {
  const { initialSequence, ...ids } = pick(item, "datacenterId", "workerId", "initialSequence");
  if (initialSequence !== 0) {
    // The reference's constructor takes an initial sequence, which the first ID discards.
    refused(() => twitter.generator({ ...ids, initialSequence } as never), item.here);
  }
  // The policies of Twitter's implementation.
  await played(item, { ...ids, clockBackwards: "throw", sequenceFull: "wait" });
}

/**
 * Plays traces of programs that use the default policies: they continue at the highest reading if
 * the clock goes back, and wait if the sequence is full.
 */
async function held(item: Item): Promise<void> {
  const { fields } = facts[item.variant as (typeof DIALECTS)[number]];
  const fixed = (fields ?? []).filter(({ role }) => role === "fixed");
  await played(item, Object.fromEntries(fixed.map(({ name }, index) => [name, item.fixed[index]])));
}

function idAt(item: Item): void {
  const from = item.seconds * 1000;
  const recorded = ["min", "max"].map((bound) => item[bound]);
  agrees(
    item,
    () => mastodon.range(from, from + 1000),
    recorded,
    ({ min, max }) => {
      assert.equal(mastodon.compose({ timestamp: from, sequenceData: 0 }), min);
      // The format may end within this second.
      const timestamp = Math.min(from + 999, mastodon.endOfLife);
      assert.equal(mastodon.compose({ timestamp, sequenceData: 0xffff }), max);
      return [min, max].map(String);
    },
  );
}

function config(item: Item): void {
  const op = item.op;
  const recorded = item.result === "ok" ? (item.integer ?? "ok") : undefined;
  if (op === "new_worker") {
    const [datacenterId, workerId] = item.input as [number, number];
    agrees(
      item,
      () => twitter.generator({ datacenterId, workerId }),
      recorded,
      () => "ok",
    );
  } else if (op === "valid_useragent") {
    // The user agent belongs to Twitter's service, so graupel rejects the option even if the value
    // was valid there.
    assert.equal(item.deviation, "twitter-service");
    const options = { datacenterId: 1, workerId: 1, useragent: item.input };
    refused(() => twitter.generator(options as never), item.here);
  } else if (op === "witness_parse") {
    agrees(item, () => discord.parse(item.input), recorded, String);
  } else {
    assert.equal(op, "witness_generate");
    const [timestamp, internalWorkerId, internalProcessId, increment] = item.input.map(Number);
    const fields = { timestamp, internalWorkerId, internalProcessId, increment };
    agrees(item, () => discord.compose(fields as never), recorded, String);
  }
}

/** Layouts of other programs, as custom declarations. */
const LAYOUTS = Object.entries(new File("snowflake").head("layouts")).map(([name, layout]) => {
  const { source: _, ...declaration } = layout as Record<string, unknown>;
  return [name, make("snowflake", declaration)] as const;
});

function declared(item: Item): void {
  const format = new Map(LAYOUTS).get(item.layout) ?? assert.fail(`unknown layout ${item.layout}`);
  const id = format.fromBigInt(BigInt(item.integer));
  checkCodec(format, item, id, item.integer, fieldsOf(format, item.fields));
  if (item.crockford !== null)
    assert.equal(encode(format as never, id as never, "crockford32"), item.crockford);
}

vectors("snowflake", { codec, traces: trace, held, id_at: idAt, config, declared }, (file) => {
  const epochs = DIALECTS.map((name) => [name, make(name).epoch]);
  assert.deepEqual(Object.fromEntries(epochs), file.head("epochs"));
});
