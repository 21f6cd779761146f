/** What users can reach of a format's facts is frozen, to the last field: no verb reads anything that they can change. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { snowflake } from "graupel/snowflake";
import type { AnyFormat } from "../../support/any-format.ts";
import { ROWS } from "../../support/formats.ts";
import { formatOf } from "../../support/row.ts";

const own = snowflake({ epoch: 0, fields: { time: 41, worker: 6, sequence: 3 } }) as unknown as AnyFormat;
const formats = [
  ...ROWS.map((row) => [row.name, formatOf(row), row.fixed] as const),
  ["a layout of your own", own, { worker: 3 }] as const,
];

type Changing = { bits: number; tickMs: number; fields: readonly object[] };

/** Changes to a layout, as code, because each is tried in strict mode and without. */
const CHANGES: Record<string, string> = {
  width: "layout.bits = 128",
  tick: "layout.tickMs = 7",
  "the fields": "layout.fields = []",
  "a field's width": "layout.fields[0].bits = 1",
  "a field's name": 'layout.fields.at(-1).name = "other"',
  "one field more": "layout.fields[layout.fields.length] = { name: 'more', bits: 9 }",
  "one field less": "layout.fields.length = 1",
  "another key": "layout.more = 1",
  "no key": "delete layout.bits",
  "a key defined anew": "Object.defineProperty(layout, 'bits', { value: 1 })",
  "another prototype": "Object.setPrototypeOf(layout, { bits: 1 })",
};

/** What the verbs and a generator say about an ID. */
function said(format: AnyFormat, fixed: object): unknown {
  const { epoch, layout } = format;
  const now = epoch + 1_000_000 * layout.tickMs;
  const generator = format.generator({ ...fixed, isolated: true, clock: () => now });
  const id = format.range(now, now + layout.tickMs).max;
  const bytes = format.toBytes(id);
  return structuredClone([
    layout,
    bytes,
    format.fromBytes(bytes),
    format.toBigInt(id),
    format.inspect(id),
    format.compose(format.inspect(id)),
    format.with(id, { ticks: 5 }),
    generator.snapshot(),
  ]);
}

for (const [name, format, fixed] of formats) {
  test(`${name}: no change to its layout takes effect`, () => {
    const before = said(format, fixed);
    for (const [what, code] of Object.entries(CHANGES)) {
      const change = (mode: string) => new Function("layout", `${mode}${code}`) as (layout: Changing) => void;
      const layout = format.layout as Changing;
      assert.throws(() => change("'use strict';")(layout), TypeError, what);
      try {
        change("")(layout);
      } catch (error) {
        assert.ok(error instanceof TypeError, what);
      }
      assert.deepEqual(said(format, fixed), before, what);
    }
  });

  test(`${name}: what it answers with is a copy`, () => {
    const before = said(format, fixed);
    const generator = format.generator({ ...fixed, isolated: true });
    const snapshot = generator.snapshot() as unknown as {
      layout?: { bits: number }[];
      fields?: object;
      at: object;
    };
    const kept = structuredClone(generator.snapshot());
    for (const field of snapshot.layout ?? []) {
      field.bits = 1;
    }
    Object.assign(snapshot.at, { highest: 5 });
    Object.assign(snapshot.fields ?? {}, { worker: 9 });
    const id = format.range(format.epoch, format.epoch + 1e6).min;
    Object.assign(format.inspect(id), { ticks: 9 });
    format.toBytes(id).fill(255);
    assert.deepEqual({ ...generator.snapshot(), now: 0 }, { ...kept, now: 0 });
    assert.deepEqual(said(format, fixed), before);
  });
}
