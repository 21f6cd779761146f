// Every Snowflake-SI vector, in every combination of widths.
import assert from "node:assert/strict";
import { make } from "../support/make.ts";
import { checkCodec, fieldsOf } from "./vectors/codec.ts";
import { type Item, type Json, pick } from "./vectors/data.ts";
import { agrees } from "./vectors/script.ts";
import { vectors } from "./vectors/tally.ts";
import { PATIENCE, Player, playTrace } from "./vectors/trace.ts";

const formatOf = (item: Item) =>
  make("snowflake-si", pick(item, "epoch", "clockBits", "machineBits", "sequenceBits"));

/** The machine field, unless it has no bits. */
const machine = (item: Item) => (item.machineBits === 0 ? {} : pick(item, "machineId"));

function codec(item: Item): void {
  const format = formatOf(item);
  const id = item.integer;
  checkCodec(format, item, id, String(id), fieldsOf(format, item));
  assert.equal(format.capacity, 2 ** item.sequenceBits, "capacity");
}

/**
 * The reference takes the options of the format and of the generator together. Numbers that JSON
 * cannot represent are recorded as text.
 */
function constructed(item: Item) {
  const parts: Record<string, unknown>[] = [{}, {}];
  for (const [name, value] of Object.entries(item.options)) {
    const ofGenerator = name === "machineId" || name === "sequenceResetThreshold";
    const number = value === "NaN" || value === "Infinity" ? Number(value) : value;
    Object.assign(parts[ofGenerator ? 1 : 0] as object, { [name]: number });
  }
  const format = make("snowflake-si", parts[0]);
  const widths = ["time", "machineId", "sequence"].map(
    (field) => format.layout.fields.find(({ name }) => name === field)?.bits ?? 0,
  );
  // v1.0.0 defaults to machine 0. A layout without a machine field has no such option.
  const { machineId = 0, ...others } = parts[1] ?? {};
  const named = widths[1] !== 0 || machineId !== 0 ? { machineId } : {};
  const clock = () => Number.NaN;
  format.generator({ ...others, ...named, clock, isolated: true });
  return { format, machineId, effective: [...widths, machineId] as Json };
}

function invalid(item: Item): void {
  if (item.op === "constructor") {
    const recorded = item.result === "ok" ? item.effective : undefined;
    agrees(
      item,
      () => constructed(item),
      recorded,
      ({ effective }) => effective,
    );
    return;
  }
  const { format, machineId } = constructed(item);
  const [timestamp, sequence, reference] = item.generated;
  agrees(item, () => format.compose({ timestamp, machineId, sequence }), reference ?? undefined, String);
}

function trace(item: Item): Promise<void> {
  // v1.0.0 never restarts the sequence and checks nothing.
  const v1 = item.variant === "v1.0.0";
  // A threshold restarts the sequence, so it conflicts with a sequence that never restarts.
  const newMillisecond =
    v1 || item.onTimeChanged === "keep_current"
      ? { sequenceStart: "continue" }
      : { sequenceStart: "lowest", ...pick(item, "sequenceResetThreshold") };
  const options = {
    ...machine(item),
    ...newMillisecond,
    clockBackwards: item.onTimeReversed === "throw_error" ? "throw" : "hold",
    sequenceFull: "throw",
    maxAheadMs: PATIENCE,
  };
  return playTrace(item, (way) => new Player(formatOf(item), item.start, way, options));
}

vectors("snowflake-si", { codec, invalid, traces: trace }, () => {});
