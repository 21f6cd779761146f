// Snowflake-SI, in every combination of widths.
import assert from "node:assert/strict";
import { checkCodec } from "./codec.ts";
import { type Item, type Json, list, number, record } from "./data.ts";
import { PATIENCE, runTrace, type Setup } from "./integers.ts";
import { snowflakeSI } from "./package.ts";
import { outcome, refused, ScriptedClock } from "./script.ts";
import type { Verdict } from "./tally.ts";

/** The last instant that a date can hold. */
const LATEST = 8.64e15;

type Widths = Parameters<typeof snowflakeSI>[0];

function formatOf(item: Item) {
  const widths = ["epoch", "clockBits", "machineBits", "sequenceBits"].map((name) => [
    name,
    item.number(name),
  ]);
  return snowflakeSI(Object.fromEntries(widths) as Widths);
}

/** The machine field; none if it has no bits. */
const machine = (bits: number, id: number) => (bits === 0 ? {} : { machineId: id });

export function codec(item: Item): Verdict {
  const format = formatOf(item);
  const id = item.number("integer");
  checkCodec(format, {
    id,
    text: String(id),
    hex: item.text("hex"),
    timestamp: item.number("timestamp"),
    ticks: item.number("ticks"),
    fields: {
      ...machine(item.number("machineBits"), item.number("machineId")),
      sequence: item.number("sequence"),
    },
  });
  assert.equal(format.capacity, 2 ** item.number("sequenceBits"), "capacity");
  return undefined;
}

export function invalid(item: Item): Verdict {
  return item.text("op") === "generate_by" ? generateBy(item) : construction(item);
}

/** Numbers that JSON cannot carry are given as text. */
function option(value: Json): unknown {
  return value === "NaN" || value === "Infinity" ? Number(value) : value;
}

/** The reference takes the options of the format and of the generator together. */
function constructed(item: Item) {
  const given = Object.entries(record(item.get("options"))).map(
    ([name, value]) => [name, option(value)] as const,
  );
  const ofGenerator = (name: string) => name === "machineId" || name === "sequenceResetThreshold";
  const part = (wanted: boolean) =>
    Object.fromEntries(given.filter(([name]) => ofGenerator(name) === wanted));
  const format = snowflakeSI(part(false) as unknown as Widths);
  const clock = new ScriptedClock();
  // v1.0.0 defaults to machine 0; a layout without a machine field has no such option.
  const { machineId = 0, ...others } = part(true);
  const named = width(format, "machineId") > 0 || machineId !== 0 ? { machineId } : {};
  const options = { ...others, ...named, clock: clock.read, isolated: true };
  return { format, options, generator: format.generator(options as never) };
}

const width = (format: ReturnType<typeof snowflakeSI>, field: string) =>
  format.layout.fields.find(({ name }) => name === field)?.bits ?? 0;

function construction(item: Item): Verdict {
  const found = outcome(() => constructed(item));
  const reason = item.get("reason");
  const options = record(item.get("options"));
  if (item.text("result") === "ok") {
    if (found.code === undefined) {
      const { format } = found.value;
      const widths = ["time", "machineId", "sequence"].map((field) => width(format, field));
      assert.deepEqual([...widths, options.machineId ?? 0], item.list("effective"), "effective");
      return undefined;
    }
    // The reference does not check for an epoch out of range, or an option that is null.
    const tooLate = found.code === "RANGE" && Number(options.epoch) + 2 ** 40 > LATEST;
    const noNumber = found.code === "TYPE" && Object.values(options).includes(null);
    assert.ok(tooLate || noNumber, found.code);
    return "si-unchecked";
  }
  if (found.code !== undefined) {
    // A layout without a machine field has no option for it.
    assert.ok(["TYPE", "RANGE", "CONFLICT", "UNKNOWN_OPTION"].includes(found.code), found.code);
    return undefined;
  }
  const { format } = found.value;
  assert.ok(reason === "invalid_bit_width", `accepted what the reference refuses for ${reason}`);
  assert.equal(width(format, "time") + width(format, "machineId") + width(format, "sequence"), 53);
  if (width(format, "machineId") === 0) {
    return "si-no-machine";
  }
  assert.ok(!("machineBits" in options) && width(format, "sequence") === options.sequenceBits);
  return "si-one-width";
}

function generateBy(item: Item): Verdict {
  const { format, options } = constructed(item);
  const [timestamp, sequence, reference] = list(item.get("generated"));
  const machineId = (options as { readonly machineId: number }).machineId;
  const fields = { timestamp: number(timestamp), machineId, sequence: number(sequence) };
  const found = outcome(() => format.compose(fields));
  if (item.text("result") === "error") {
    assert.ok(found.code === "RANGE" || found.code === "BEFORE_EPOCH", found.code ?? "accepted");
    return undefined;
  }
  if (found.code === undefined && String(found.value) === reference) {
    return undefined;
  }
  const fraction = fields.timestamp % 1 !== 0 || fields.sequence % 1 !== 0;
  assert.ok(fraction || fields.timestamp > format.endOfLife, `found ${found.code}, wanted ${reference}`);
  if (found.code === undefined) {
    // Half a millisecond counts as 4096 sequence numbers in the reference; a time's fraction is dropped here.
    assert.equal(found.value, format.compose({ ...fields, timestamp: Math.floor(fields.timestamp) }));
  } else {
    refused(() => format.compose(fields), "RANGE", "END_OF_LIFE");
  }
  return "si-unchecked";
}

export async function trace(item: Item): Promise<Verdict> {
  const format = formatOf(item);
  // v1.0.0 never restarts the sequence, and checks nothing.
  const v1 = item.text("variant") === "v1.0.0";
  const reversed = item.get("onTimeReversed");
  const name = v1 ? "si-v1" : "si-reversed-time";
  const make = (): Setup<number> => {
    const clock = new ScriptedClock();
    const options = {
      ...machine(item.number("machineBits"), item.number("machineId")),
      clock: clock.read,
      isolated: true,
      clockBackwards: reversed === "throw_error" ? "throw" : "hold",
      sequenceFull: "throw",
      // A threshold restarts the sequence, so it conflicts with a sequence that never restarts.
      ...(v1 || item.get("onTimeChanged") === "keep_current"
        ? { onNewMillisecond: "keep" }
        : { onNewMillisecond: "reset", sequenceResetThreshold: item.number("sequenceResetThreshold") }),
      maxAheadMs: PATIENCE,
    };
    const generator = format.generator(options as Parameters<typeof format.generator>[0]);
    return {
      clock,
      format,
      generator,
      id: number,
      mask: BigInt(format.capacity - 1),
      codes: { backwards: "CLOCK_BACKWARDS", full: "SEQUENCE_FULL", before_epoch: "BEFORE_EPOCH" },
      excuse: ({ code }, recorded, { now, back, before }) => {
        if (code === "END_OF_LIFE" && now > format.endOfLife && number(recorded) > Number.MAX_SAFE_INTEGER) {
          return "si-unchecked";
        }
        if (!v1 && reversed !== "use_reversed_time") {
          return undefined;
        }
        // Only from the first reading that went back, or the first full tick; and never a repeated ID.
        const reason = back || before || code === "SEQUENCE_FULL";
        return reason && (code ?? "SEQUENCE_FULL") === "SEQUENCE_FULL" ? name : undefined;
      },
    };
  };
  // `nextAsync` waits when the sequence is full, which is an error in these traces.
  const full = v1 || item.steps().some(([op, , kind]) => op === "error" && kind === "full");
  return runTrace(item, make, full ? ["next", "text"] : ["next", "text", "async"]);
}
