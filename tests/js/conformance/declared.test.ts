// The limits of a declared layout, at both sides of each. The core trusts them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel/snowflake";

const MAX_DATE = 8.64e15;
const MAX_SPAN = Number.MAX_SAFE_INTEGER;

type Declaration = Parameters<typeof snowflake>[0];

const declare = (fields: Record<string, number>, epoch = 0, tickMs = 1) =>
  snowflake({ epoch, tickMs, fields } as Declaration);

test("fields: widths of 1 to 53, at most 64 in sum, the time first, and a sequence", () => {
  for (const fields of [
    { time: 41, worker: 10, sequence: 12 },
    { time: 42, worker: 10, sequence: 12 },
    { time: 11, worker: 52, sequence: 1 },
    { time: 1, worker: 10, sequence: 53 },
    { time: 1, sequence: 1 },
  ]) {
    assert.deepEqual(
      declare(fields).layout.fields,
      Object.entries(fields).map(([name, bits]) => {
        return { name, bits, role: { time: "time", sequence: "sequence" }[name] ?? "fixed" };
      }),
    );
  }
  for (const [fields, code, field] of [
    [{ time: 41, worker: 0, sequence: 12 }, "RANGE", "fields.worker"],
    [{ time: 41, worker: 54, sequence: 12 }, "RANGE", "fields.worker"],
    [{ time: 54, sequence: 10 }, "RANGE", "fields.time"],
    [{ time: 42, worker: 11, sequence: 12 }, "RANGE", "fields"],
    [{ time: 12, worker: 52, sequence: 1 }, "RANGE", "fields"],
    [{}, "CONFLICT", "fields"],
    [{ sequence: 12, time: 41 }, "CONFLICT", "fields"],
    [{ time: 41, worker: 12 }, "CONFLICT", "fields"],
  ] as const) {
    assert.throws(() => declare(fields), { code, field }, JSON.stringify(fields));
  }
});

test("times: all ticks are dates, and exact numbers", () => {
  const fields = { time: 1, sequence: 1 };
  const wide = { time: 53, sequence: 1 };
  for (const [name, declared, end] of [
    ["the first date", () => declare(fields, -MAX_DATE), 1 - MAX_DATE],
    ["an end at the last date", () => declare(fields, MAX_DATE - 1), MAX_DATE],
    ["a life of 2^53 ms less one", () => declare(wide, -(2 ** 49)), MAX_SPAN - 2 ** 49],
    ["the longest tick", () => declare(fields, 0, 2 ** 32 - 1), 2 ** 32 - 1],
  ] as const) {
    assert.equal(declared().endOfLife, end, name);
  }
  for (const [name, declared, field] of [
    ["before all dates", () => declare(fields, -MAX_DATE - 1), "epoch"],
    ["past all dates", () => declare(fields, MAX_DATE + 1), "epoch"],
    ["an end past all dates", () => declare(fields, MAX_DATE), "epoch"],
    ["an end past all dates, far from the epoch", () => declare(wide), "epoch"],
    ["a life of more than 2^53 ms", () => declare(wide, -(2 ** 49), 2), "tickMs"],
    ["ticks of no length", () => declare(fields, 0, 0), "tickMs"],
    ["a tick that is too long", () => declare(fields, 0, 2 ** 32), "tickMs"],
  ] as const) {
    assert.throws(declared, { code: "RANGE", field }, name);
  }
});
