/** `text`: the same format with texts, and `timestamp`: the time alone. Both must agree with what the format itself says. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { named, snowflakeSIs } from "../support/subjects.ts";

/** Options of a generator that nobody else has. */
const optionsOf = (fixed: readonly string[], clock: () => number) => ({
  ...Object.fromEntries(fixed.map((name) => [name, 1])),
  isolated: true,
  // The clock stands still.
  sequenceFull: "borrow",
  clock,
});

for (const { label, format, fixed } of named()) {
  describe(label, () => {
    const { text } = format;
    /** Busy milliseconds: an ID with the sequence 0 survives much. */
    const clock = () => format.epoch + 123_456_789_000;
    const ids = format.generator(optionsOf(fixed, clock)).nextMany(20);

    test("it is one format, made once, and its own text", () => {
      assert.equal(format.text, text);
      assert.equal(text.text, text);
      assert.equal(text === format, typeof ids[0] === "string");
      for (const fact of ["name", "epoch", "capacity", "endOfLife"] as const) {
        assert.equal(text[fact], format[fact]);
      }
      assert.deepEqual(text.layout, format.layout);
    });

    test("each verb takes and gives the text of what the format gives", () => {
      for (const id of ids) {
        const written = format.format(id);
        assert.equal(text.parse(written), written);
        assert.equal(text.format(written), written);
        assert.deepEqual(text.toBytes(written), format.toBytes(id));
        assert.equal(text.fromBytes(format.toBytes(id)), written);
        assert.equal(text.toBigInt(written), format.toBigInt(id));
        assert.equal(text.fromBigInt(format.toBigInt(id)), written);
        assert.deepEqual(text.inspect(written), format.inspect(id));
        assert.equal(text.compose(format.inspect(id)), written);
        assert.equal(text.with(written, { ticks: 7 }), format.format(format.with(id, { ticks: 7 })));
        assert.deepEqual(text["~standard"].validate(written), { value: written });
        if (typeof id !== "string") {
          assert.throws(() => text.parse(id), { code: "TYPE" });
          assert.equal(text.isValid(id), false);
        }
      }
      const { min, max } = format.range(format.epoch + 5000, format.epoch + 9000);
      assert.deepEqual(text.range(format.epoch + 5000, format.epoch + 9000), {
        min: format.format(min),
        max: format.format(max),
      });
    });

    test("compare orders IDs and their texts, and refuses each time what is neither by type, range or length", () => {
      const lengths = [0n, format.toBigInt(format.range().max)].map(
        (integer) => format.format(format.fromBigInt(integer)).length,
      );
      const [least, most] = lengths as [number, number];
      const fits = (x: unknown): x is string =>
        typeof x === "string" && x.length >= least && x.length <= most;
      const [one, two] = [ids[3], ids[4]] as [string, string];
      const [text1, text2] = [format.format(one), format.format(two)];
      const pairs = [
        [one, two],
        [text1, text2],
        [one, text2],
        [text1, two],
      ] as const;
      const last = text1.length - 1;
      const type = typeof one;
      const wrong = [
        "",
        `0${text1}`,
        ` ${text1}`,
        `${text1}\0`,
        `${text1.slice(0, last)}\u0131`,
        `${text1.slice(0, last)}/`,
        `${text1.slice(0, last)}\u{1f4a9}`,
        text1.repeat(2),
        `-${text1}`,
        undefined,
        null,
        {},
        true,
        [one],
        Object(one),
        type === "number" ? 5n : 5,
        -1,
        -0,
        Number.NaN,
        2 ** 53,
        -1n,
        2n ** 64n,
        2n ** 90n,
      ];
      for (const compare of [format.compare, text.compare] as ((a: unknown, b: unknown) => number)[]) {
        for (const [a, b] of compare === format.compare ? pairs : [[text1, text2] as const]) {
          assert.deepEqual([compare(a, b), compare(b, a), compare(a, a), compare(b, b)], [-1, 1, 0, 0]);
          const check = (x: unknown, y: unknown, field: string) => {
            if (fits(x) && fits(y)) {
              // Of two texts only the lengths are checked: `parse` checks the characters.
              assert.equal(compare(x, y), Math.sign(x.length - y.length) || (x < y ? -1 : 1), x);
            } else {
              assert.throws(
                () => compare(x, y),
                { name: "GraupelError", field },
                `${String(x)}, ${String(y)}`,
              );
            }
          };
          for (const x of wrong) {
            // Right before and after: nothing of what was found valid may count for another value.
            check(x, b, "a");
            check(a, x, "b");
            assert.equal(compare(a, b), -1);
          }
        }
      }
      const { min, max } = format.range();
      assert.deepEqual(
        [format.compare(min, max), format.compare(format.fromBigInt(0n), min)],
        [-1, min === format.fromBigInt(0n) ? 0 : -1],
      );
      assert.throws(() => format.compare(`${format.toBigInt(max) + 1n}`, one), { field: "a" });
    });

    test("a sort by compare is that of the integers", () => {
      const many = ids.flatMap((id) => [id, format.with(id, { ticks: 3 }), format.with(id, { ticks: 300 })]);
      const integers = (sorted: readonly (string | number | bigint)[]) =>
        sorted.map((id) => format.toBigInt(id as never));
      const wanted = integers(many).sort((a, b) => (a < b ? -1 : 1));
      const texts = many.map((id) => format.format(id));
      assert.deepEqual(integers([...many].sort(format.compare)), wanted);
      assert.deepEqual(integers([...texts].sort(text.compare)), wanted);
      assert.deepEqual(integers([...texts].sort(format.compare as typeof text.compare)), wanted);
    });

    test("its generators share their state with those of the format", () => {
      const options = { ...optionsOf(fixed, clock), isolated: false };
      const [mixed, texts] = [format.generator(options), text.generator(options)];
      const made = Array.from({ length: 10 }, () => [format.format(mixed.next()), `${texts.next()}`]).flat();
      for (const [i, id] of made.entries()) {
        if (i > 0) assert.equal(format.compare(made[i - 1] as string, id), -1);
      }
    });

    test("its order is that of the IDs, also of texts of different lengths", () => {
      const all = [
        ...ids,
        format.range().min,
        format.range().max,
        format.fromBigInt(9n),
        format.fromBigInt(10n),
      ];
      for (const a of all) {
        for (const b of all) {
          assert.equal(text.compare(format.format(a), format.format(b)), format.compare(a, b));
        }
      }
    });

    test("the time alone is that of inspect", () => {
      for (const id of [...ids, format.range().min, format.range().max]) {
        const { timestamp } = format.inspect(id);
        assert.equal(format.timestamp(id), timestamp);
        assert.equal(format.timestamp(format.format(id)), timestamp);
        assert.equal(text.timestamp(format.format(id)), timestamp);
      }
      for (const bad of [undefined, null, {}, "", "-1", -1, -1n, 2n ** 64n, 2n ** 80n]) {
        assert.throws(() => format.timestamp(bad as never), { name: "GraupelError" });
      }
    });

    // Else they are the format's own.
    if (text === format) return;

    test("its generators make the texts of the same IDs, one by one, in batches and later", async () => {
      const [own, other] = [format, text].map((one) => one.generator(optionsOf(fixed, clock)));
      assert.ok(own && other);
      const written = (made: readonly unknown[]) => made.map((id) => format.format(id as bigint));
      assert.deepEqual([other.next(), other.nextText()], written([own.next(), own.next()]));
      assert.deepEqual(other.nextMany(5), written(own.nextMany(5)));
      assert.deepEqual(other.nextManyText(5), own.nextManyText(5));
      assert.equal(await other.nextAsync(), format.format(await own.nextAsync()));
      assert.equal("nextTyped" in other, false);
      assert.equal(other.at(format.epoch + 5), format.format(own.at(format.epoch + 5)));
      assert.deepEqual(other.snapshot(), own.snapshot());
      const restored = format.generator({ snapshot: other.snapshot(), clock, isolated: true });
      assert.equal(format.format(restored.next()), other.next());
    });
  });
}

test("a text of another length is refused before it is read", (t) => {
  for (const { format } of [...named(), ...snowflakeSIs()]) {
    for (const one of [format, format.text]) {
      const reading = t.mock.method(String.prototype, "charCodeAt", () => assert.fail("it was read"));
      try {
        assert.throws(() => one.parse("1".repeat(99)), { code: "LENGTH" });
        assert.equal(one.isValid("1".repeat(99)), false);
      } finally {
        reading.mock.restore();
      }
    }
  }
});
