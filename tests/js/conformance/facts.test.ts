/** Compares the facts in `graupel/facts` with the behaviour of the formats. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import * as graupel from "graupel";
import type { AnyFormat } from "../support/any-format.ts";
import { EPOCH } from "../support/formats.ts";
import { type FormatFacts, facts, make, NAMES } from "../support/make.ts";

const all = NAMES.map((name) => facts[name]);

/** A time within the life of every format. */
const NOON = Date.UTC(2025, 0, 1, 12);
const WIDE = { time: 41, region: 10, sequence: 12 };

/** The required properties of a declaration. */
const needed = ({ declaration }: FormatFacts): Record<string, unknown> => {
  const required = declaration.filter(({ required }) => required);
  return Object.fromEntries(required.map(({ name, kind }) => [name, kind === "fields" ? WIDE : EPOCH]));
};

const madeOf = (one: FormatFacts): AnyFormat => make(one.name, needed(one));

/** The required options of a generator. */
const numbers = ({ options, fields }: FormatFacts): Record<string, unknown> =>
  fields === null
    ? { region: 1 }
    : Object.fromEntries(options.filter(({ required }) => required).map(({ name }) => [name, 1]));

/** The message of a GraupelError. */
function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    assert.ok(graupel.GraupelError.is(error), String(error));
    return error.message;
  }
  return assert.fail("was accepted");
}

/**
 * A generator on its own clock. Its random steps are small, so that a tick has room for several
 * IDs.
 */
function scripted(one: FormatFacts, options: object = {}) {
  const clock = { now: NOON };
  const random = { random: (bytes: Uint8Array) => void bytes.fill(1) };
  const isRandom = one.options.some(({ name }) => name === "random");
  const own = { isolated: true, clock: () => clock.now, ...(isRandom && random) };
  return { clock, ids: madeOf(one).generator({ ...numbers(one), ...own, ...options }) };
}

test("every export that is a format, or makes one, has facts, which name its entry", async () => {
  const others = ["GraupelError", "identify"];
  const exported = Object.keys(graupel).filter((name) => !others.includes(name));
  assert.deepEqual([...new Set(all.map((one) => one.export))].sort(), exported.sort());
  for (const one of all) {
    const entry = (await import(one.entry)) as Record<string, unknown>;
    assert.equal(entry[one.export], { ...(graupel as Record<string, unknown>) }[one.export]);
    assert.equal(typeof entry[one.export] === "function", one.declared);
  }
});

test("the facts are JSON, and deeply frozen", () => {
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
    const { layout, max, capacity, epoch, endOfLife } = format;

    test("name, layout, epoch, life, capacity, sign, rounding and texts", () => {
      const isOpen = one.fields === null;
      const { bits, tickMs, fields, ...form } = layout;
      assert.deepEqual([one.name, facts[one.name].name], [format.name, format.name]);
      assert.deepEqual(
        [one.fields, one.bits, one.tickMs, one.capacity, one.lifeMs],
        isOpen ? Array(5).fill(null) : [fields, bits, tickMs, capacity, endOfLife - epoch],
      );
      assert.deepEqual([one.epoch, one.endOfLife], one.declared ? [null, null] : [epoch, endOfLife]);
      const { base, ignoresCase, pattern } = one.text;
      const isUnsigned = max >= 2n ** 63n;
      assert.deepEqual(form, { rounding: one.rounding, isUnsigned, base, ignoresCase, pattern });
      assert.deepEqual([format.valueType, max], [one.id.type, format.toBigInt(format.range().max)]);
      const roles = fields.map(({ role }) => role);
      assert.equal(roles.indexOf("time"), 0);
      assert.equal(roles.filter((role) => role === "sequence" || role === "random").length, 1);
      for (const part of [layout, fields, ...fields]) assert.ok(Object.isFrozen(part));
      assert.equal(layout, format.text.layout);
      // Every call returns a new object.
      const id = format.fromBigInt(max);
      assert.notEqual((format.toBytes(id) as Buffer).buffer, (format.toBytes(id) as Buffer).buffer);
      assert.notEqual(format.inspect(id), format.inspect(id));
      const ticks = (timestamp: number) =>
        format.inspect(format.with(format.range().min, { timestamp })).ticks;
      assert.equal(ticks(NOON + tickMs * 0.75) - ticks(NOON), one.rounding === "nearest" ? 1 : 0);
    });

    test("texts and IDs", () => {
      // A layout that fills all bits.
      const full =
        one.fields === null ? make(one.name, { epoch: EPOCH, fields: { time: 42, sequence: 22 } }) : format;
      const { text, id } = one;
      const write = (integer: bigint) => full.format(full.fromBigInt(integer));
      const { min, max } = full.range();
      assert.deepEqual([full.format(min), full.format(max), full.toBigInt(min)], [id.min, id.max, 0n]);
      assert.deepEqual([id.min.length, id.max.length], [text.shortest, text.longest]);
      assert.throws(() => full.fromBigInt(full.toBigInt(max) + 1n), { code: "OVERFLOW" });
      assert.deepEqual([typeof min, full.toBytes(min).length], [id.type, id.bytes]);

      assert.deepEqual([text.alphabet.length, new Set(text.alphabet).size], [text.base, text.base]);
      const last = [...text.alphabet].map((_, digit) => write(BigInt(digit)).at(-1));
      assert.deepEqual(last, [...text.alphabet]);
      assert.equal(write(BigInt(text.base)).at(-1), text.alphabet[0]);

      const pattern = new RegExp(text.pattern);
      const samples = [0n, 1n, BigInt(text.base), full.toBigInt(max) / 3n, full.toBigInt(max)];
      for (const sample of samples.map(write)) {
        assert.match(sample, pattern);
        // `parse` either ignores the case or rejects the other case.
        for (const other of [sample.toLowerCase(), sample.toUpperCase()])
          assert.equal(full.isValid(other), text.ignoresCase || other === sample, other);
      }
      // Every character at every position where the value fits.
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
      const rest = id.max.slice(1);
      for (const wrong of ["", `${id.max}${id.max.at(-1)}`, ` ${id.max}`, `-${id.max}`, `${rest}!`]) {
        assert.doesNotMatch(wrong, pattern);
        assert.equal(full.isValid(wrong), false);
      }
      const isFixed = text.shortest === text.longest;
      assert.doesNotMatch(isFixed ? rest : `0${rest}`, pattern);
      if (!isFixed) return;
      const first = [...text.alphabet].filter((character) => pattern.test(character + rest));
      const fits = [...text.alphabet].filter((character) => full.isValid(character + rest));
      assert.deepEqual(first, fits);
    });

    test("options and their words: exactly those of the facts", () => {
      const known = (action: () => unknown) =>
        /known are (.*) \[/.exec(refusal(action))?.[1]?.split(", ").sort();
      const names = one.options.map(({ name }) => name);
      const declared = one.fields === null ? ["region"] : [];
      const options = known(() => format.generator({ ...numbers(one), "no option": 1 }));
      assert.deepEqual(options, [...names, ...declared].sort());
      for (const { name, words } of one.options.filter(({ words }) => words !== null)) {
        const message = refusal(() => format.generator({ ...numbers(one), [name]: "none" }));
        const said = [...message.matchAll(/"([^"]+)"/g)].map(([, word]) => word);
        assert.deepEqual(said, [...(words ?? []), "none"], name);
      }
      assert.equal("withEpoch" in format, !one.declared && one.declaration.length > 0);
      if (!one.declared) return;
      const given = [...one.declaration.map(({ name }) => name), ...Object.keys(one.given)];
      assert.deepEqual(
        known(() => make(one.name, { "no option": 1 })),
        given.sort(),
      );
    });

    test("bounds of the declaration and of the generator's options", () => {
      const generate = (given: object) => format.generator({ ...numbers(one), ...given });
      const declare = (given: object) => make(one.name, { ...needed(one), ...given });
      for (const [choices, call] of [
        [one.options, generate],
        [one.declared ? one.declaration : [], declare],
      ] as const) {
        for (const { name, min, max } of choices) {
          // The bounds of an epoch depend on the rest of the declaration.
          if (max !== null && name !== "epoch")
            assert.throws(
              () => call({ [name]: Number(max) + 1 }),
              { code: "RANGE", range: { min, max } },
              name,
            );
        }
      }
    });

    test("defaults of the declaration and of the generator's options", () => {
      const made = make(one.name, one.declared ? needed(one) : {});
      const { fields, tickMs } = made.layout;
      const bits = (part: string) => fields.find((field) => field.name === part)?.bits;
      const found: Record<string, unknown> = {
        ...{ epoch: one.declared ? null : made.epoch, layout: null, fields: null },
        ...{
          tickMs,
          sequenceField: fields.find(({ role }) => role === "sequence")?.name,
          ids: made.valueType,
        },
        ...{ clockBits: bits("time"), machineBits: bits("machineId"), sequenceBits: bits("sequence") },
      };
      for (const { name, default: absent } of one.declaration) assert.equal(found[name], absent, name);
      for (const { name, default: absent } of one.options) {
        // generator/calls.test.ts checks the defaults of the other options.
        if (!["clockBackwards", "sequenceFull", "maxWaitMs", "maxAheadMs"].includes(name))
          assert.equal(DEFAULTS[name]?.(one) ?? null, absent, name);
      }
    });
  });
}

/** The sequence of the first ID in a new tick, after two IDs in the previous one. */
function afresh(one: FormatFacts): unknown {
  const { clock, ids } = scripted(one);
  ids.nextMany(2);
  clock.now += madeOf(one).layout.tickMs;
  const counter = one.fields?.find(({ role }) => role === "sequence")?.name ?? "sequence";
  return madeOf(one).inspect(ids.next())[counter];
}

const property = (name: string) => (one: FormatFacts) =>
  (scripted(one).ids as unknown as Readonly<Record<string, unknown>>)[name];

/**
 * The defaults of options, measured with generators that do not set them; null for any other
 * option.
 */
const DEFAULTS: Readonly<Record<string, (one: FormatFacts) => unknown>> = {
  isolated(one) {
    const [a, b] = [1, 2].map(() => madeOf(one).generator(numbers(one)));
    const before = b?.stats().issued;
    a?.next();
    return b?.stats().issued === before;
  },
  sequenceMin: property("sequenceMin"),
  sequenceMax: property("sequenceMax"),
  scalability: (one) => madeOf(one).inspect(scripted(one).ids.next()).scalability,
  entropySize(one) {
    const drawn: number[] = [];
    const random = (bytes: Uint8Array) => void drawn.push(bytes.fill(1).length);
    scripted(one, { random }).ids.nextMany(2);
    return drawn[1];
  },
  sequenceStart: (one) => (afresh(one) === 0 ? "lowest" : "continue"),
  sequenceResetThreshold: afresh,
};
