// Ulid-Flake, stand-alone and scalable.
import assert from "node:assert/strict";
import { checkCodec } from "./codec.ts";
import { type Item, type Json, text } from "./data.ts";
import { ulidFlake, ulidFlakeScalable } from "./package.ts";
import { accepted, type Outcome, outcome, refused, ScriptedClock, ScriptedRandom } from "./script.ts";
import type { Verdict } from "./tally.ts";

export function codec(item: Item): Verdict {
  const id = item.text("text");
  const common = {
    id,
    text: id,
    hex: item.text("hex"),
    timestamp: item.number("timestamp"),
    ticks: item.number("ticks"),
  };
  const randomness = item.number("scalableRandomness");
  checkCodec(ulidFlake, { ...common, fields: { randomness: item.number("randomness") } });
  checkCodec(ulidFlakeScalable, {
    ...common,
    fields: { randomness, scalability: item.number("scalability") },
  });

  const integer = BigInt(item.text("integer"));
  for (const format of [ulidFlake, ulidFlakeScalable]) {
    assert.equal(format.toBigInt(id), integer, "toBigInt");
    assert.equal(format.parse(id.toLowerCase()), id, "parse lower case");
    assert.equal(format.format(id, 32), id, "format in radix 32");
    for (const radix of [2, 10, 16] as const) {
      assert.equal(
        format.format(id, radix).toLowerCase(),
        integer.toString(radix),
        `format in radix ${radix}`,
      );
    }
  }
  return undefined;
}

export function parse(item: Item): Verdict {
  const input = item.text("input");
  const codes = {
    invalid_length: ["LENGTH"],
    invalid_character: ["CHARACTER"],
    invalid_length_or_character: ["LENGTH", "CHARACTER"],
    overflow: ["OVERFLOW"],
  }[item.text("tags")];
  for (const format of [ulidFlake, ulidFlakeScalable]) {
    if (codes === undefined) {
      assert.equal(format.toBigInt(format.parse(input)), BigInt(item.text("integer")));
      assert.equal(format.parse(input), input.toUpperCase());
    } else {
      refused(() => format.parse(input), ...codes);
    }
    assert.equal(format.isValid(input), codes === undefined);
  }
  return undefined;
}

export function fromInt(item: Item): Verdict {
  const input = BigInt(item.text("input"));
  for (const format of [ulidFlake, ulidFlakeScalable]) {
    if (item.get("integer") === null) {
      refused(() => format.fromBigInt(input), input < 0n ? "RANGE" : "OVERFLOW");
    } else {
      assert.equal(format.toBigInt(format.fromBigInt(input)), BigInt(item.text("integer")));
    }
  }
  return undefined;
}

/** What the specification demands: errors, no waiting. */
const POLICY = { clockBackwards: "throw", sequenceFull: "throw" } as const;

/** A generator of the item's variant, with a scripted clock and source. */
function scripted(
  item: Item,
  options: { readonly entropySize?: number; readonly scalability?: number },
  epoch?: number,
) {
  const clock = new ScriptedClock();
  const random = new ScriptedRandom();
  const common = { ...POLICY, ...options, clock: clock.read, random: random.fill } as never;
  const of = <T extends { withEpoch(ms: number): T }>(format: T) =>
    epoch === undefined ? format : format.withEpoch(epoch);
  const generator =
    item.text("variant") === "scalable"
      ? of(ulidFlakeScalable).generator(common)
      : of(ulidFlake).generator(common);
  return { clock, random, generator };
}

export function fromUnixEpochTime(item: Item): Verdict {
  const seconds = item.get("seconds");
  const scalability = item.text("variant") === "scalable" ? { scalability: 0 } : {};
  const { clock, random, generator } = scripted(item, scalability);
  clock.set(0, Date.UTC(2400, 0));
  random.set([item.text("random")]);
  // The seconds have decimals. They mean exact milliseconds, which a floating-point product would miss.
  const ms = typeof seconds === "number" ? Math.round(seconds * 1e6) / 1e3 : seconds;
  const found = outcome(() => generator.at(ms as number));
  const error = item.get("error");
  if (error === null) {
    assert.equal(accepted(found, "at"), item.text("text"));
    random.finish();
    return undefined;
  }
  assert.equal(
    found.code,
    { type: "TYPE", before_epoch: "BEFORE_EPOCH", after_end: "END_OF_LIFE" }[text(error)],
  );
  return undefined;
}

export function config(item: Item): Verdict {
  const [entropySize, scalability] = [item.get("entropySize"), item.get("scalability")];
  const scalable = item.text("variant") === "scalable" ? { scalability: Number(scalability ?? 0) } : {};
  const options = { ...scalable, ...(entropySize === null ? {} : { entropySize: Number(entropySize) }) };
  const make = () => scripted(item, options).generator;
  if (item.text("result") === "error") {
    refused(make, "RANGE");
  } else {
    make();
  }
  return undefined;
}

const CODES = { full: "SEQUENCE_FULL", before_epoch: "BEFORE_EPOCH", after_end: "END_OF_LIFE" };

export function trace(item: Item): Verdict {
  const scalability = item.get("scalability") === null ? {} : { scalability: item.number("scalability") };
  const options = { entropySize: item.number("entropySize"), ...scalability };
  const { clock, random, generator } = scripted(item, options, item.number("epoch"));
  const call = (readings: Json | undefined, draws: Json | undefined): Outcome<string> => {
    clock.set(readings, item.number("start"));
    random.set(draws);
    const found = outcome(() => generator.next());
    // A time outside the format is refused before anything is drawn.
    if (found.code === undefined || found.code === "SEQUENCE_FULL") {
      random.finish();
    }
    random.check();
    return found;
  };
  if (item.tagged("clock-backwards")) {
    return clockBackwards(item, call);
  }
  for (const [index, [op, readings, wanted, draws]] of item.steps().entries()) {
    const found = call(readings, draws);
    const code = op === "error" ? CODES[text(wanted) as keyof typeof CODES] : undefined;
    assert.deepEqual(found, code === undefined ? { value: text(wanted) } : { code }, `step ${index}`);
  }
  return undefined;
}

/** The Python code continues with the lower time, and then issues the first ID again. */
function clockBackwards(
  item: Item,
  call: (readings: Json | undefined, draws: Json | undefined) => Outcome<string>,
): Verdict {
  const [first, back, again] = item.steps();
  const issued = accepted(call(first?.[1], first?.[3]), "first");
  assert.equal(issued, text(first?.[2]));
  assert.equal(call(back?.[1], []).code, "CLOCK_BACKWARDS");
  // Within a millisecond, the randomness increases by the step drawn.
  const next = accepted(call(again?.[1], ["01"]), "again");
  const { inspect } = item.text("variant") === "scalable" ? ulidFlakeScalable : ulidFlake;
  assert.deepEqual(inspect(next), { ...inspect(issued), randomness: inspect(issued).randomness + 1 });
  return "ulid-python-clock";
}
