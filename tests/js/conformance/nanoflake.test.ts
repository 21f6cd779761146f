// Every Nanoflake vector, in both layouts.
import assert from "node:assert/strict";
import { facts, make } from "../support/make.ts";
import { checkCodec, checkNegative, fieldsOf } from "./vectors/codec.ts";
import { bytes, type Item, pick } from "./vectors/data.ts";
import { agrees, ScriptedClock } from "./vectors/script.ts";
import { vectors } from "./vectors/tally.ts";
import { PATIENCE, Player, playTrace } from "./vectors/trace.ts";

/** The layout of the specification or of the published implementations, with a vector's epoch. */
function formatOf(item: Item) {
  const isSpecified = item.variant === "spec-22";
  return make(isSpecified ? "nanoflake" : "nanoflake-reference-24", pick(item, "epoch"));
}

function codec(item: Item): void {
  const format = formatOf(item);
  const id = BigInt(item.integer);
  const text = item.text;
  if (id < 0n) {
    checkNegative(format, item, text, facts.nanoflake.text.longest);
    return;
  }
  // In reference-24, two bits between the time and the generator are unused.
  const unused = format.layout.fields[1]?.name === "unused" ? [Number((id >> 22n) & 3n)] : [];
  const { generatorId, sequence } = pick(item, "generatorId", "sequence");
  checkCodec(format, item, id, text, fieldsOf(format, [...unused, generatorId, sequence]));
  const binary = Array.from(bytes(item.hex), (byte) => byte.toString(2).padStart(8, "0")).join("");
  const texts: [number, string][] = [
    [36, text],
    [32, item.base32],
    [16, item.hex.replace(/^0+(?=.)/, "")],
    [10, item.integer],
    [8, item.octal],
    [2, binary.replace(/^0+(?=.)/, "")],
  ];
  for (const [radix, digits] of texts) {
    assert.equal(format.format(id, radix), digits, `format in radix ${radix}`);
    assert.equal(format.parse(digits, radix), id, `parse in radix ${radix}`);
    assert.equal(format.parse(digits.toUpperCase(), radix), id, `parse upper case in radix ${radix}`);
  }
}

function invalid(item: Item): void {
  const format = make("nanoflake", { epoch: 0 });
  const op = item.op;
  if (op === "new_generator") {
    const [epoch, generatorId, now] = item.generator.map(Number);
    const clock = new ScriptedClock();
    clock.set(0, now);
    const options = { generatorId, clock: clock.read, isolated: true };
    const next = () => make("nanoflake", { epoch }).generator(options).next();
    agrees(item, next, item.result === "ok" ? "ok" : undefined, () => "ok");
  } else if (op === "to_string_radix") {
    // The reference falls back to decimal.
    agrees(item, () => format.format(BigInt(item.input), item.radix), item.text, String);
  } else {
    const radix = op === "from_string" ? 10 : item.radix;
    const canonical = item.text;
    const recorded = [item.integer, canonical];
    agrees(
      item,
      () => format.parse(item.input, radix),
      recorded[0] === null ? undefined : recorded,
      (id) => [String(id), canonical && (format.format(id, radix) as string)],
    );
  }
}

const trace = (item: Item) => {
  // The policies of the published implementations.
  const policies = { clockBackwards: "throw", sequenceFull: "wait", maxWaitMs: PATIENCE };
  const options = { ...pick(item, "generatorId"), ...policies };
  return playTrace(item, (way) => new Player(formatOf(item), item.start, way, options));
};

vectors("nanoflake", { codec, invalid, traces: trace }, () => {});
