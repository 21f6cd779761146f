// Nanoflake, in both layouts.
import assert from "node:assert/strict";
import { checkCodec } from "./codec.ts";
import { bytes, type Item, list, number, text } from "./data.ts";
import { PATIENCE, runTrace } from "./integers.ts";
import { nanoflake } from "./package.ts";
import { outcome, refused, ScriptedClock } from "./script.ts";
import type { Verdict } from "./tally.ts";

/** The layout of the specification, or that of the published programs, with a vector's epoch. */
function formatOf(item: Item) {
  const epoch = item.number("epoch");
  return item.text("variant") === "spec-22"
    ? nanoflake({ epoch })
    : nanoflake({ epoch, layout: "reference-24" });
}

export function codec(item: Item): Verdict {
  const format = formatOf(item);
  const id = BigInt(item.text("integer"));
  if (id < 0n) {
    refused(() => format.parse(id), "RANGE");
    refused(() => format.fromBigInt(id), "RANGE");
    // An ID has at most 13 digits of base 36.
    refused(() => format.parse(item.text("text")), item.text("text").length > 13 ? "LENGTH" : "CHARACTER");
    refused(() => format.fromBytes(bytes(item.text("hex"))), "OVERFLOW");
    return "nanoflake-range";
  }
  // In reference-24, two bits between the generator and the time are unused.
  const unused = item.text("variant") === "spec-22" ? {} : { unused: Number((id >> 22n) & 3n) };
  checkCodec(format, {
    id,
    text: item.text("text"),
    hex: item.text("hex"),
    timestamp: item.number("timestamp"),
    ticks: item.number("ticks"),
    fields: { ...unused, generatorId: item.number("generatorId"), sequence: item.number("sequence") },
  });
  const binary = Array.from(bytes(item.text("hex")), (byte) => byte.toString(2).padStart(8, "0")).join("");
  const texts: [number, string][] = [
    [36, item.text("text")],
    [32, item.text("base32")],
    [16, item.text("hex").replace(/^0+(?=.)/, "")],
    [10, item.text("integer")],
    [8, item.text("octal")],
    [2, binary.replace(/^0+(?=.)/, "")],
  ];
  for (const [radix, digits] of texts) {
    assert.equal(format.format(id, radix), digits, `format in radix ${radix}`);
    assert.equal(format.parse(digits, radix), id, `parse in radix ${radix}`);
    assert.equal(format.parse(digits.toUpperCase(), radix), id, `parse upper case in radix ${radix}`);
  }
  return undefined;
}

export function invalid(item: Item): Verdict {
  switch (item.text("op")) {
    case "from_string":
      return parsed(item, 10);
    case "from_string_radix":
      return parsed(item, item.number("radix"));
    case "to_string_radix":
      // The reference falls back to decimal.
      refused(
        () => nanoflake({ epoch: 0 }).format(BigInt(item.text("input")), item.number("radix")),
        "RANGE",
      );
      return "nanoflake-lenient-text";
    case "new_generator":
      return newGenerator(item);
    default:
      return assert.fail(`unknown ${item.text("op")}`);
  }
}

function parsed(item: Item, radix: number): Verdict {
  const format = nanoflake({ epoch: 0 });
  const input = item.text("input");
  const found = outcome(() => format.parse(input, radix));
  if (item.text("result") === "error") {
    assert.ok(found.code !== undefined, `accepted as ${JSON.stringify(input)}`);
    assert.ok(["LENGTH", "CHARACTER", "NOT_CANONICAL", "OVERFLOW", "RANGE"].includes(found.code), found.code);
    return undefined;
  }
  const integer = BigInt(item.text("integer"));
  if (found.code === undefined) {
    assert.equal(found.value, integer);
    if (item.get("text") !== null) {
      assert.equal(format.format(found.value, radix), item.text("text"), "canonical");
    }
    return undefined;
  }
  assert.ok(["LENGTH", "CHARACTER", "NOT_CANONICAL"].includes(found.code), found.code);
  return integer < 0n ? "nanoflake-range" : "nanoflake-lenient-text";
}

function newGenerator(item: Item): Verdict {
  const [epoch, generatorId, now] = list(item.get("generator"));
  const clock = new ScriptedClock();
  clock.set(0, number(now));
  const made = outcome(() =>
    nanoflake({ epoch: Number(text(epoch)) })
      .generator({ generatorId: Number(text(generatorId)), clock: clock.read, isolated: true })
      .next(),
  );
  if (item.text("result") === "ok") {
    assert.equal(made.code, undefined);
  } else {
    // An epoch in the future fails at the first ID: "before the epoch".
    assert.ok(made.code === "RANGE" || made.code === "BEFORE_EPOCH", made.code);
  }
  return undefined;
}

/** What the published programs do. */
const POLICY = { clockBackwards: "throw", sequenceFull: "wait" } as const;

export async function trace(item: Item): Promise<Verdict> {
  const format = formatOf(item);
  return runTrace(item, () => {
    const clock = new ScriptedClock();
    const generatorId = item.number("generatorId");
    return {
      clock,
      format,
      generator: format.generator({
        ...POLICY,
        generatorId,
        clock: clock.read,
        maxWaitMs: PATIENCE,
        isolated: true,
      }),
      id: (recorded) => BigInt(text(recorded)),
      mask: 0xfffn,
      codes: { backwards: "CLOCK_BACKWARDS" },
      excuse: ({ code }, _recorded, { now }) => {
        // The reference drops the bits that do not fit the field, or makes the number negative.
        const before = code === "BEFORE_EPOCH" && now < format.epoch;
        const after = code === "END_OF_LIFE" && now > format.endOfLife;
        return before || after ? "nanoflake-range" : undefined;
      },
    };
  });
}
