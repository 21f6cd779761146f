// Every sno vector for parsing and formatting, order, errors and automatic partitions. The vectors
// of its generators have their own files.
import assert from "node:assert/strict";
import { sno } from "graupel/sno";
import { make } from "../support/make.ts";
import { told } from "../support/user-project.ts";
import { checkCodec, fieldsOf } from "./vectors/codec.ts";
import { bytes, hex, type Item, type Json } from "./vectors/data.ts";
import { agrees } from "./vectors/script.ts";
import { bounds, newWithTime, trace } from "./vectors/sno-generator.ts";
import { overflowNotifications } from "./vectors/sno-overflow.ts";
import { vectors } from "./vectors/tally.ts";

/** An ID from its bytes in hexadecimal. */
const id = (digits: string) => sno.fromBytes(bytes(digits));

function codec(item: Item): void {
  const format = make("sno");
  const it = item.text;
  checkCodec(format, item, it, it, fieldsOf(format, item));
  assert.equal(sno.metabyte(it), item.metabyte, "metabyte");
  assert.equal(JSON.stringify(it), `"${it}"`, "JSON");
  // As a UUID, the 16 characters are the 16 bytes.
  const uuid = hex(new TextEncoder().encode(it)).replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
    "$1-$2-$3-$4-$5",
  );
  assert.equal(sno.toUUID(it), uuid, "toUUID");
  assert.equal(sno.fromUUID(uuid), it, "fromUUID");
}

function compare(item: Item): void {
  const [a, b] = [id(item.a), id(item.b)];
  const result = item.result;
  assert.equal(sno.compare(a, b), result, "compare");
  assert.equal(sno.compare(b, a), 0 - result, "compare, turned round");
  assert.equal(a < b ? -1 : a > b ? 1 : 0, result, "order as text");
}

function sort(item: Item): void {
  const ids = (column: string) => item[column].map((digits: string) => id(digits));
  assert.deepEqual(ids("input").sort(sno.compare), ids("sorted"), "sorted by compare");
  assert.deepEqual(ids("input").sort(), ids("sorted"), "sorted as text");
}

/**
 * Checks input that the reference parses: bytes, text, JSON, or a database driver's value, which
 * may have any type.
 */
function invalid(item: Item): void {
  const input = String(item.input);
  const readings: Readonly<Record<string, () => string>> = {
    from_encoded_string: () => sno.parse(input),
    from_binary_bytes: () => sno.fromBytes(bytes(input)),
    unmarshal_json: () => sno.parse(JSON.parse(input)),
    "sql_scan bytes": () => sno.fromBytes(bytes(input)),
    "sql_scan string": () => sno.parse(input),
    "sql_scan nil": () => sno.parse(null),
  };
  const [op, type] = [item.op, item.type];
  const read = readings[type === null ? op : `${op} ${type}`] ?? (() => sno.parse(JSON.parse(input)));
  // The reference does not check texts ("accepted"). Any result that it gives for one counts as
  // invalid.
  const recorded = item.result === "error" ? undefined : (item.hex ?? "unchecked");
  agrees(item, read, recorded, (id) => hex(sno.toBytes(id)));
  if (op === "from_encoded_string") assert.equal(sno.isValid(input), false);
}

/**
 * Checks automatic partitions. A process draws only one, so each item runs in its own process, with
 * the system time and the randomness set before the package is imported.
 */
async function autoPartition(item: Item): Promise<void> {
  // A number that differs from the reference's seed in both bytes.
  const drawn = item.seed ^ 0x5aa5;
  // A tick below 2^16 is its own seed.
  const tick = item.units ?? item.seed;
  const wanted =
    item.units === null ? [...item.first.keys(), ...item.tail.map((step: Json) => step[0])] : [0];
  const found = await told(`
    Date.now = () => ${sno.epoch + tick * sno.layout.tickMs};
    let draws = 0;
    crypto.getRandomValues = (bytes) => {
      draws++;
      bytes.set([${drawn >> 8}, ${drawn & 255}]);
      return bytes;
    };
    const { sno } = await import("graupel/sno");
    const partitions = Array.from({ length: ${Math.max(...wanted) + 1} }, () => sno.generator().partition);
    console.log(JSON.stringify({ draws, partitions: [${wanted}].map((n) => partitions[n]) }));`);
  assert.notEqual(item.deviation, null);
  // The partition is the same at any time, and even after 65,536 generators, when the reference has
  // no partition left.
  assert.deepEqual(found, { draws: 1, partitions: wanted.map(() => drawn) });
}

const sections = {
  codec,
  compare,
  sort,
  invalid,
  bounds,
  new_with_time: newWithTime,
  traces: trace,
  overflow_notifications: overflowNotifications,
  auto_partition: autoPartition,
};
vectors("sno", sections, (file) => {
  assert.deepEqual([sno.epoch, sno.layout.tickMs], [file.head("epoch"), file.head("tickMs")]);
  assert.equal(sno.parse(JSON.parse(JSON.stringify(sno.zero))), sno.zero, "the zero ID through JSON");
});
