// Every Ulid-Flake vector, stand-alone and scalable.
import assert from "node:assert/strict";
import { make } from "../support/make.ts";
import { checkCodec, fieldsOf } from "./vectors/codec.ts";
import { type Item, type Json, pick } from "./vectors/data.ts";
import { agrees } from "./vectors/script.ts";
import { vectors } from "./vectors/tally.ts";
import { Player, playTrace, type Way } from "./vectors/trace.ts";

const BOTH = ["ulid-flake", "ulid-flake-scalable"] as const;

function codec(item: Item): void {
  const id = item.text;
  const scalable = ["scalableRandomness", "scalability"].map((name) => item[name]);
  const integer = BigInt(item.integer);
  for (const [name, values] of [
    [BOTH[0], [item.randomness]],
    [BOTH[1], scalable],
  ] as const) {
    const format = make(name);
    checkCodec(format, item, id, id, fieldsOf(format, values));
    assert.equal(format.toBigInt(id), integer, "toBigInt");
    assert.equal(format.parse(id.toLowerCase()), id, "parse lower case");
    assert.equal(format.format(id, 32), id, "format in radix 32");
    for (const radix of [2, 10, 16]) {
      const text = format.format(id, radix) as string;
      assert.equal(text.toLowerCase(), integer.toString(radix), `format in radix ${radix}`);
    }
  }
}

const recordedInteger = (item: Item): Json | undefined => item.integer ?? undefined;

function parse(item: Item): void {
  const input = item.input;
  for (const format of BOTH.map((name) => make(name))) {
    agrees(
      item,
      () => format.parse(input),
      recordedInteger(item),
      (id) => {
        assert.equal(id, input.toUpperCase());
        return String(format.toBigInt(id));
      },
    );
    assert.equal(format.isValid(input), item.here === null);
  }
}

function fromInt(item: Item): void {
  const input = BigInt(item.input);
  for (const format of BOTH.map((name) => make(name))) {
    agrees(
      item,
      () => format.fromBigInt(input),
      recordedInteger(item),
      (id) => String(format.toBigInt(id)),
    );
  }
}

/** A player for the item's variant. */
function scripted(item: Item, way: Way, options: object, epoch?: number): Player {
  const format = make(item.variant === "scalable" ? BOTH[1] : BOTH[0], epoch === undefined ? {} : { epoch });
  // The specification demands errors instead of waits.
  const policies = { clockBackwards: "throw", sequenceFull: "throw" };
  return new Player(format, epoch === undefined ? 0 : item.start, way, { ...policies, ...options });
}

function fromUnixEpochTime(item: Item): void {
  const seconds = item.seconds;
  const { clock, random, generator } = scripted(
    item,
    "next",
    item.variant === "scalable" ? { scalability: 0 } : {},
  );
  clock.set(0, Date.UTC(2400, 0));
  random.set([item.random]);
  // The decimal seconds stand for exact milliseconds, which a floating-point product would miss.
  const ms = typeof seconds === "number" ? Math.round(seconds * 1e6) / 1e3 : seconds;
  agrees(
    item,
    () => generator.at(ms),
    item.text ?? undefined,
    (id) => {
      random.check(undefined);
      return String(id);
    },
  );
}

function config(item: Item): void {
  const given = ["entropySize", "scalability"].filter((name) => item[name] !== null);
  const scalable = item.variant === "scalable" ? { scalability: 0 } : {};
  const options = { ...scalable, ...Object.fromEntries(given.map((name) => [name, Number(item[name])])) };
  const recorded = item.result === "ok" ? "ok" : undefined;
  agrees(
    item,
    () => scripted(item, "next", options),
    recorded,
    () => "ok",
  );
}

function trace(item: Item): Promise<void> {
  const scalability = item.scalability === null ? {} : pick(item, "scalability");
  const options = { ...pick(item, "entropySize"), ...scalability };
  return playTrace(item, (way) => scripted(item, way, options, item.epoch));
}

vectors(
  "ulid-flake",
  { codec, parse, from_int: fromInt, from_unix_epoch_time: fromUnixEpochTime, config, traces: trace },
  (file) => {
    for (const name of BOTH) assert.equal(make(name).epoch, file.head("epoch"));
  },
);
