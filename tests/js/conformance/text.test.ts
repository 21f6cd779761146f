/** `text`: the same format with texts, and its generators. What its verbs answer is in reference.test.ts. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { named, snowflakeSIs } from "../support/layouts.ts";

/** Options of a generator that nobody else has. */
const optionsOf = (fixed: object, clock: () => number) => ({
  ...fixed,
  isolated: true,
  // The clock stands still.
  sequenceFull: "borrow",
  clock,
});

for (const { name: label, format, fixed } of named()) {
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

    test("its generators share their state with those of the format", () => {
      const options = { ...optionsOf(fixed, clock), isolated: false };
      const [mixed, texts] = [format.generator(options), text.generator(options)];
      const made = Array.from({ length: 10 }, () => [format.format(mixed.next()), `${texts.next()}`]).flat();
      for (const [i, id] of made.entries()) {
        if (i > 0) assert.equal(format.compare(made[i - 1] as string, id), -1);
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
