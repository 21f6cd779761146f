// sno: reading and writing, order, refusals, configuration. Its generators have their own files.
import assert from "node:assert/strict";
import { emptyRegistry } from "../../support/other-process.ts";
import { checkCodec } from "./codec.ts";
import { bytes, hex, type Item, text } from "./data.ts";
import { sno } from "./package.ts";
import { outcome, refused, ScriptedClock } from "./script.ts";
import type { Verdict } from "./tally.ts";

/** An ID from its bytes, in hexadecimal. */
const id = (digits: string) => sno.fromBytes(bytes(digits));

export function codec(item: Item): Verdict {
  const fields = Object.fromEntries(
    ["tickTock", "metabyte", "partition", "sequence"].map((field) => [field, item.number(field)]),
  );
  const it = item.text("text");
  checkCodec(sno, {
    id: it,
    text: it,
    hex: item.text("hex"),
    timestamp: item.number("timestamp"),
    ticks: item.number("ticks"),
    fields,
  });
  assert.equal(sno.metabyte(it), fields.metabyte, "metabyte");
  assert.equal(JSON.stringify(it), `"${it}"`, "JSON");
  // As a UUID, the 16 characters are the 16 bytes.
  const uuid = hex(new TextEncoder().encode(it)).replace(
    /^(.{8})(.{4})(.{4})(.{4})(.{12})$/,
    "$1-$2-$3-$4-$5",
  );
  assert.equal(sno.toUUID(it), uuid, "toUUID");
  assert.equal(sno.fromUUID(uuid), it, "fromUUID");
  return undefined;
}

export function compare(item: Item): Verdict {
  const [a, b] = [id(item.text("a")), id(item.text("b"))];
  const result = item.number("result");
  assert.equal(sno.compare(a, b), result, "compare");
  assert.equal(sno.compare(b, a), 0 - result, "compare, turned round");
  assert.equal(a < b ? -1 : a > b ? 1 : 0, result, "order as text");
  return undefined;
}

export function sort(item: Item): Verdict {
  const ids = (column: string) => item.list(column).map((digits) => id(text(digits)));
  assert.deepEqual(ids("input").sort(sno.compare), ids("sorted"), "sorted by compare");
  assert.deepEqual(ids("input").sort(), ids("sorted"), "sorted as text");
  return undefined;
}

export function invalid(item: Item): Verdict {
  switch (item.text("op")) {
    case "from_encoded_string":
      return fromEncodedString(item);
    case "from_binary_bytes":
      return fromBytes(item);
    case "unmarshal_json":
      return unmarshalJson(item);
    case "sql_scan":
      return sqlScan(item);
    default:
      return assert.fail(`unknown ${item.text("op")}`);
  }
}

function fromEncodedString(item: Item): Verdict {
  const input = item.text("input");
  assert.equal(sno.isValid(input), false);
  // The reference only counts bytes of UTF-8; here a text must have 16 characters of the alphabet.
  refused(() => sno.parse(input), input.length === 16 ? "CHARACTER" : "LENGTH");
  return item.text("result") === "error" ? undefined : "sno-strict-text";
}

function fromBytes(item: Item): Verdict {
  const data = bytes(item.text("input"));
  if (item.text("result") === "ok") {
    assert.equal(hex(sno.toBytes(sno.fromBytes(data))), item.text("hex"));
  } else {
    refused(() => sno.fromBytes(data), "LENGTH");
  }
  return undefined;
}

function unmarshalJson(item: Item): Verdict {
  const input = item.text("input");
  let value: unknown;
  try {
    value = JSON.parse(input);
  } catch {
    // Invalid JSON is refused before anything is parsed.
    return item.text("result") === "error" ? undefined : "sno-strict-text";
  }
  refused(() => sno.parse(value), "TYPE", "LENGTH", "CHARACTER");
  if (item.text("result") === "error") {
    return undefined;
  }
  if (value !== null) {
    return "sno-strict-text";
  }
  assert.equal(sno.parse(JSON.parse(JSON.stringify(sno.zero))), sno.zero, "the zero ID through JSON");
  return "sno-json-zero";
}

function sqlScan(item: Item): Verdict {
  // A database driver returns bytes, text, null, or a value of another type.
  const input = item.get("input");
  const read = {
    bytes: () => sno.fromBytes(bytes(item.text("input"))),
    string: () => sno.parse(input),
    nil: () => sno.parse(null),
  }[item.text("type")];
  const found = outcome(read ?? (() => sno.parse(JSON.parse(item.text("input")))));
  if (item.text("result") === "error") {
    assert.ok(found.code === (read === undefined ? "TYPE" : "LENGTH"), `${JSON.stringify(found)}`);
    return undefined;
  }
  if (found.code === undefined) {
    assert.equal(hex(sno.toBytes(found.value)), item.text("hex"));
    return undefined;
  }
  // The reference reads null as the zero ID.
  assert.equal(item.text("hex"), "00".repeat(10));
  assert.equal(found.code, item.text("type") === "nil" ? "TYPE" : "LENGTH");
  return "sno-strict-text";
}

export function bounds(item: Item): Verdict {
  const [sequenceMin, sequenceMax] = [item.number("sequenceMin"), item.number("sequenceMax")];
  const sequence = item.number("sequence");
  const error = item.get("error");
  // Only a snapshot can set the sequence; with the highest reading 0 it is the current one at the epoch.
  const snapshot = { sequenceMin, sequenceMax, sequence, partition: 7, wallHi: 0, wallSafe: 0, drifts: 0 };
  const clock = () => new ScriptedClock();
  const restored = () => {
    // Another process continues from a snapshot.
    emptyRegistry();
    return sno.generator({ clock: atEpoch(clock()), snapshot: { version: 1, format: "sno", ...snapshot } });
  };
  const made = () =>
    sno.generator({ clock: atEpoch(clock()), partition: 7, sequenceMin, sequenceMax, isolated: true });

  const [min, max] = [item.number("effectiveMin"), item.number("effectiveMax")];
  const smallButEnough = error === "small" && max - min + 1 >= 4;
  if (error !== null && !smallButEnough) {
    refused(restored, "SNAPSHOT");
    if (error !== "underflow") {
      refused(made, error === "small" ? "RANGE" : "CONFLICT");
      return undefined;
    }
  }
  for (const generator of error === "underflow" ? [made()] : [made(), restored()]) {
    assert.equal(generator.sequenceMin, min, "sequenceMin");
    assert.equal(generator.sequenceMax, max, "sequenceMax");
    assert.equal(generator.capacity, max - min + 1, "capacity");
  }
  if (error === null) {
    assert.equal(restored().capacity, item.number("capacity"), "capacity");
    assert.equal(restored().sequence(), item.number("effectiveSequence"), "sequence");
  }
  return smallButEnough ? "sno-pool-of-4" : undefined;
}

/** A clock that stands at the epoch. */
function atEpoch(clock: ScriptedClock): () => number {
  clock.set(0, sno.epoch);
  return clock.read;
}
