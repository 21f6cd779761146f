/**
 * `text`: the same format with text IDs, and its generators. (For the results of its verbs, see
 * reference.test.ts.)
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { named, snowflakeSIs } from "../support/layouts.ts";

for (const { name: label, format, fixed } of named()) {
  test(`${label}: text is one format, whose generators issue the same IDs as text`, async () => {
    const { text } = format;
    assert.equal(format.text, text);
    assert.equal(text.text, text);
    for (const fact of ["name", "epoch", "capacity", "endOfLife", "layout"] as const) {
      assert.equal(text[fact], format[fact]);
    }
    /**
     * The clock stays in one busy millisecond, because rounding often preserves IDs whose sequence
     * is 0.
     */
    const clock = () => format.epoch + 123_456_789_000;
    const options = { ...fixed, isolated: true, sequenceFull: "borrow", clock };
    const [own, other] = [format.generator(options), text.generator(options)];
    assert.equal(text === format, typeof own.nextMany(20)[0] === "string");
    other.nextMany(20);

    // They share their state with the format's generators.
    const shared = { ...options, isolated: false };
    const [mixed, texts] = [format.generator(shared), text.generator(shared)];
    const made = Array.from({ length: 10 }, () => [format.format(mixed.next()), `${texts.next()}`]).flat();
    assert.ok(made.every((id, i) => i === 0 || format.compare(made[i - 1], id) === -1));

    // If a format's own IDs are text, `text` is the format itself.
    if (text === format) return;
    const written = (ids: readonly unknown[]) => ids.map((id) => format.format(id));
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
}

test("a text of a wrong length is rejected before it is read", (t) => {
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
