/** The facts of `graupel/facts` are what the formats do: each is compared with a format that is made and used. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as graupel from "graupel";
import type { FieldRole } from "graupel/facts";
import type { AnyGenerator } from "../support/any-format.ts";
import { type FormatFacts, facts, make, NAMES } from "../support/make.ts";
import { EPOCH, madeOf, NOON, needed, numbers, refusal, scripted } from "./facts-makes.ts";

const all = NAMES.map((name) => facts[name]);

test("every export that is a format, or makes one, has facts, and they name its entry", async () => {
  const others = ["GraupelError", "identify"];
  const exported = Object.keys(graupel).filter((name) => !others.includes(name));
  assert.deepEqual([...new Set(all.map((one) => one.export))].sort(), exported.sort());
  for (const one of all) {
    const entry = (await import(one.entry)) as Record<string, unknown>;
    assert.equal(entry[one.export], { ...(graupel as Record<string, unknown>) }[one.export]);
    assert.equal(typeof entry[one.export] === "function", one.declared);
  }
});

test("the facts are JSON, and frozen through and through", () => {
  assert.deepEqual(JSON.parse(JSON.stringify(facts)), facts);
  const visit = (data: unknown): number => {
    if (typeof data !== "object" || data === null) return 0;
    assert.ok(Object.isFrozen(data));
    return Object.values(data).reduce((sum, part) => sum + visit(part), 1);
  };
  assert.ok(visit(facts) > 200);
});

for (const one of all) {
  describe(one.name, () => {
    const format = madeOf(one);

    test("name, layout, epoch, life and capacity", () => {
      assert.equal(facts[one.name].name, one.name);
      assert.equal(format.name, one.name);
      const { layout } = format;
      if (one.fields === null) {
        assert.deepEqual([one.bits, one.tickMs, one.capacity, one.lifeMs], [null, null, null, null]);
      } else {
        assert.deepEqual(one.fields, layout.fields);
        assert.deepEqual([one.bits, one.tickMs], [layout.bits, layout.tickMs]);
        assert.equal(one.capacity, format.capacity);
        assert.equal(one.lifeMs, format.endOfLife - format.epoch);
      }
      assert.equal(one.epoch === null, one.declared);
      if (one.epoch !== null) {
        assert.deepEqual([one.epoch, one.endOfLife], [format.epoch, format.endOfLife]);
      } else {
        assert.equal(one.endOfLife, null);
        assert.equal(format.epoch, EPOCH);
      }
    });

    test("the format itself says its sign, rounding, texts and roles", () => {
      const { layout, max } = format;
      const { base, ignoresCase, pattern } = one.text;
      assert.deepEqual(
        { ...layout, bits: 0, tickMs: 0, fields: [] },
        {
          ...{ bits: 0, tickMs: 0, fields: [], rounding: one.rounding },
          ...{ isUnsigned: max >= 2n ** 63n, base, ignoresCase, pattern },
        },
      );
      assert.equal(format.valueType, one.id.type);
      assert.equal(max, format.toBigInt(format.range().max));
      if (one.fields !== null) assert.equal(format.format(format.fromBigInt(max)), one.id.max);
      const roles = layout.fields.map(({ name, role }) => [name, role]);
      assert.deepEqual(roles[0], ["time", "time"]);
      assert.equal(roles.filter(([, role]) => role === "sequence" || role === "random").length, 1);
      for (const part of [layout, layout.fields, ...layout.fields]) assert.ok(Object.isFrozen(part));
      assert.equal(layout, (format.text as typeof format).layout);
      // What it answers with is nobody else's.
      const [bytes, others] = [1, 2].map(() => format.toBytes(format.fromBigInt(max)));
      assert.notEqual(bytes?.buffer, others?.buffer);
      assert.notEqual(format.inspect(format.fromBigInt(max)), format.inspect(format.fromBigInt(max)));
      // Either case is the same text to `parse`, or it is refused.
      for (const text of [id(max), id(max / 3n)]) {
        for (const other of [text.toLowerCase(), text.toUpperCase()]) {
          assert.equal(format.isValid(other), ignoresCase || other === text, other);
        }
      }
      function id(integer: bigint): string {
        return format.format(format.fromBigInt(integer));
      }
    });

    test("rounding", () => {
      const { tickMs } = format.layout;
      const { min } = format.range();
      const ticks = (timestamp: number) => format.inspect(format.with(min, { timestamp })).ticks;
      const late = ticks(NOON + tickMs * 0.75) - ticks(NOON);
      assert.equal(late, one.rounding === "nearest" ? 1 : 0);
    });

    test("texts and IDs", () => {
      // The format whose layout fills all bits.
      const full =
        one.fields === null ? make(one.name, { epoch: EPOCH, fields: { time: 42, sequence: 22 } }) : format;
      const { text, id } = one;
      const write = (integer: bigint) => full.format(full.fromBigInt(integer));
      const { min, max } = full.range();
      assert.deepEqual([full.format(min), full.format(max)], [id.min, id.max]);
      assert.deepEqual([write(0n).length, full.format(max).length], [text.shortest, text.longest]);
      assert.equal(full.toBigInt(min), 0n);
      assert.equal(refusal(() => full.fromBigInt(full.toBigInt(max) + 1n)).code, "OVERFLOW");
      assert.deepEqual([typeof min, full.toBytes(min).length], [id.type, id.bytes]);

      assert.equal(text.base, text.alphabet.length);
      assert.equal(new Set(text.alphabet).size, text.base);
      for (let digit = 0; digit < text.base; digit++) {
        assert.equal(write(BigInt(digit)).at(-1), text.alphabet[digit]);
      }
      assert.equal(write(BigInt(text.base)).at(-1), text.alphabet[0]);

      const pattern = new RegExp(text.pattern);
      const samples = [0n, 1n, BigInt(text.base), full.toBigInt(max) / 3n, full.toBigInt(max)];
      for (const integer of samples) assert.match(write(integer), pattern);
      // Every character in every place, where the value fits.
      for (const character of text.alphabet) {
        for (let place = 1; place < text.longest; place++) {
          const sample = `${id.max.slice(0, place).replace(/^7/, "6")}${character}${id.max.slice(place + 1)}`;
          assert.equal(pattern.test(sample), sample.length === text.longest, sample);
        }
      }
      for (let code = 32; code < 127; code++) {
        const character = String.fromCharCode(code);
        assert.equal(pattern.test(`${id.max.slice(0, -1)}${character}`), text.alphabet.includes(character));
      }
      for (const wrong of [
        "",
        `${id.max}${id.max.at(-1)}`,
        ` ${id.max}`,
        `-${id.max}`,
        `${id.max.slice(1)}!`,
      ]) {
        assert.doesNotMatch(wrong, pattern);
        assert.equal(full.isValid(wrong), false);
      }
      if (text.shortest === text.longest) {
        assert.doesNotMatch(id.max.slice(1), pattern);
        const first = [...text.alphabet].filter((character) => pattern.test(character + id.max.slice(1)));
        const fits = [...text.alphabet].filter((character) => full.isValid(character + id.max.slice(1)));
        assert.deepEqual(first, fits);
      } else {
        assert.doesNotMatch(`0${id.max.slice(1)}`, pattern);
      }
    });

    test("the role of each field", () => {
      const tries: Readonly<Record<FieldRole, (name: string, max: number) => void>> = {
        time(_, max) {
          const { ticks } = format.inspect(format.range().max);
          assert.equal(ticks, (one.lifeMs as number) / (one.tickMs as number));
          // The top bit of 64 may stay clear.
          assert.ok(ticks === max || (one.bits === 64 && ticks === (max - 1) / 2));
        },
        fixed(name, max) {
          const { ids } = scripted(one, { [name]: max });
          assert.deepEqual(fieldOf(ids, name, 3), [max, max, max]);
        },
        sequence(name) {
          const [a = 0, b, c] = fieldOf(scripted(one).ids, name, 3);
          assert.deepEqual([b, c], [a + 1, a + 2]);
        },
        random(name) {
          // A start of 0, by a bit that the randomness does not have: a source that only gives zeros is refused.
          const random = (bytes: Uint8Array) =>
            bytes.length === 1 ? bytes.fill(5) : bytes.fill(0).fill(0x80, 0, 1);
          assert.deepEqual(fieldOf(scripted(one, { random }).ids, name, 3), [0, 5, 10]);
        },
        call(name, max) {
          const ids = scripted(one).ids as AnyGenerator & { next(call: number): string };
          assert.equal(numberOf(ids.next(max), name), max);
          assert.equal(numberOf(ids.next(), name), 0);
        },
        tickTock(name) {
          const { clock, ids } = scripted(one, { clockBackwards: "tick-tock" });
          const before = numberOf(ids.next(), name);
          clock.now -= 1000;
          assert.deepEqual([before, numberOf(ids.next(), name)], [0, 1]);
        },
        unused(name) {
          const { clock, ids } = scripted(one);
          assert.deepEqual(fieldOf(ids, name, 3), [0, 0, 0]);
          clock.now -= 1000;
          assert.deepEqual(fieldOf(ids, name, 1), [0]);
        },
      };
      const numberOf = (id: unknown, name: string): unknown => format.inspect(id)[name];
      const fieldOf = (ids: AnyGenerator, name: string, n: number): number[] =>
        Array.from({ length: n }, () => numberOf(ids.next(), name) as number);
      for (const { name, bits, role } of one.fields ?? []) tries[role](name, 2 ** bits - 1);
      const roles = (one.fields ?? []).map(({ role }) => role);
      if (one.fields !== null) {
        assert.equal(roles.indexOf("time"), 0);
        assert.equal(roles.filter((role) => role === "sequence" || role === "random").length, 1);
      }
    });

    test("options: these, and no others", () => {
      const known = (error: { message?: string }) =>
        /known are (.*) \[/.exec(error.message ?? "")?.[1]?.split(", ");
      const options = known(refusal(() => format.generator({ ...numbers(one), "no option": 1 })));
      const declared = one.fields === null ? ["region"] : [];
      assert.deepEqual(options?.sort(), [...one.options.map(({ name }) => name), ...declared].sort());
      for (const { name, words } of one.options.filter(({ words }) => words !== null)) {
        const { message = "" } = refusal(() => format.generator({ ...numbers(one), [name]: "none" }));
        const said = [...message.matchAll(/"([^"]+)"/g)].map(([, word]) => word);
        assert.deepEqual(said, [...(words ?? []), "none"], name);
      }
      if (one.declared) {
        const keys = known(refusal(() => make(one.name, { "no option": 1 })));
        const given = [...one.declaration.map(({ name }) => name), ...Object.keys(one.given)];
        assert.deepEqual(keys?.sort(), given.sort());
      } else {
        assert.equal("withEpoch" in format, one.declaration.length > 0);
      }
    });

    test("defaults of the declaration", () => {
      for (const { name, default: absent } of one.declaration) {
        const { layout, epoch, valueType } = make(one.name, one.declared ? needed(one) : {});
        const bits = (part: string) => layout.fields.find((field) => field.name === part)?.bits;
        const found: Record<string, unknown> = {
          epoch: one.declared ? null : epoch,
          layout: null,
          fields: null,
          tickMs: layout.tickMs,
          sequenceField: layout.fields.find(({ role }) => role === "sequence")?.name,
          ids: valueType,
          clockBits: bits("time"),
          machineBits: bits("machineId"),
          sequenceBits: bits("sequence"),
        };
        assert.ok(name in found, name);
        assert.equal(found[name], absent, name);
      }
    });

    test("defaults of the generator's options", () => {
      for (const { name, default: absent } of one.options) {
        if (USED.includes(name)) continue;
        const known = DEFAULTS[name];
        assert.equal(known === undefined ? null : known(one), absent, name);
      }
    });
  });
}

/** Options whose defaults are the same as what generators do without them: generator/defaults.test.ts. */
const USED = ["clockBackwards", "sequenceFull", "maxWaitMs", "maxAheadMs"];

/** The sequence of the first ID of a new tick, after two in the tick before. */
function afresh(one: FormatFacts): unknown {
  const { clock, ids } = scripted(one);
  ids.nextMany(2);
  clock.now += madeOf(one).layout.tickMs;
  const counter = one.fields?.find(({ role }) => role === "sequence")?.name ?? "sequence";
  return madeOf(one).inspect(ids.next())[counter];
}

/** The default of any other option, found out by using generators without it. */
const DEFAULTS: Readonly<Record<string, (one: FormatFacts) => unknown>> = {
  isolated(one) {
    const [a, b] = [1, 2].map(() => madeOf(one).generator(numbers(one)));
    const before = b?.stats().issued;
    a?.next();
    return b?.stats().issued === before;
  },
  sequenceMin: (one) => (scripted(one).ids as unknown as Readonly<Record<string, unknown>>).sequenceMin,
  sequenceMax: (one) => (scripted(one).ids as unknown as Readonly<Record<string, unknown>>).sequenceMax,
  scalability: (one) => madeOf(one).inspect(scripted(one).ids.next()).scalability,
  entropySize(one) {
    const drawn: number[] = [];
    const random = (bytes: Uint8Array) => {
      drawn.push(bytes.length);
      bytes.fill(1);
    };
    scripted(one, { random }).ids.nextMany(2);
    return drawn[1];
  },
  sequenceStart: (one) => (afresh(one) === 0 ? "lowest" : "continue"),
  sequenceResetThreshold: afresh,
};
