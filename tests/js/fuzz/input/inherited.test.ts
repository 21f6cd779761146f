/**
 * Snapshots of a class, or with a prototype: whatever they inherit would be ignored, so they are refused, in each of their parts.
 * Plain objects of every origin are taken, and each of their accessors is read once. Options, declarations and fields: input.test.ts.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { discord, GraupelError, sno, twitter } from "graupel";
import { HEIRS, PLAIN } from "./objects.ts";

type Given = Record<string, unknown>;

const isolated = true;
const id = discord.parse("175928847299117063");
const snoSnapshot = sno.generator({ partition: 7, isolated }).snapshot();
const snapshot = twitter.generator({ datacenterId: 1, workerId: 2, isolated }).snapshot();
const [timeField, ...fields] = snapshot.layout;
const restore = (given: typeof snapshot) => twitter.generator({ snapshot: given, isolated });
const restoreSno = (given: typeof snoSnapshot) => sno.generator({ snapshot: given, isolated });

/** Parts of a snapshot: a call, a part that it takes, and the code and field of a refusal. */
const PLACES: Record<string, readonly [call: (given: never) => unknown, Given, string, string]> = {
  "a snapshot": [restore, { ...snapshot }, "TYPE", "snapshot"],
  "a snapshot of sno": [restoreSno, { ...snoSnapshot }, "TYPE", "snapshot"],
  "a snapshot, at": [
    (at: never) => restoreSno({ ...snoSnapshot, at }),
    { ...snoSnapshot.at },
    "SNAPSHOT",
    "snapshot.at",
  ],
  "a snapshot, fields": [
    (fields: never) => restore({ ...snapshot, fields }),
    { ...snapshot.fields },
    "SNAPSHOT",
    "snapshot.fields",
  ],
  "a snapshot, layout": [
    (field: never) => restore({ ...snapshot, layout: [field, ...fields] }),
    { ...timeField },
    "SNAPSHOT",
    "snapshot.layout",
  ],
};

for (const [place, [call, options, code, field]] of Object.entries(PLACES)) {
  const ask = call as (given: unknown) => unknown;

  test(`${place}: an object that could inherit options is refused`, async () => {
    for (const [form, make] of Object.entries(HEIRS)) {
      const given = make(options);
      const isRight = (error: unknown) => {
        assert.ok(GraupelError.is(error), form);
        assert.deepEqual([error.code, error.field, error.value === given], [code, field, true], form);
        assert.match(error.message, /: expected a plain object, like \{\.\.\.it\}, got an? object \[/, form);
        return true;
      };
      await assert.rejects(async () => ask(given), isRight, form);
    }
  });

  test(`${place}: a plain object of any origin is taken, and each accessor is read once`, async () => {
    for (const [form, make] of Object.entries(PLAIN)) {
      await assert.doesNotReject(async () => ask(make(options)), form);
    }
    const reads: string[] = [];
    const accessors = {};
    for (const [name, value] of Object.entries(options)) {
      const get = () => {
        reads.push(name);
        return value;
      };
      Object.defineProperty(accessors, name, { enumerable: true, get });
    }
    await ask(accessors);
    assert.deepEqual(reads.sort(), Object.keys(options).sort());
  });
}

test("what inspect returns, and JSON, are plain", () => {
  assert.equal(discord.compose(discord.inspect(id)), id);
  const { time: _, ...fields } = JSON.parse(JSON.stringify(discord.inspect(id)));
  assert.equal(discord.compose(fields), id);
  twitter.generator({ snapshot: JSON.parse(JSON.stringify(snapshot)), isolated });
});
