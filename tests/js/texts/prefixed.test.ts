/** Texts with a prefix: what is accepted, what is rejected, and the error messages. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { prefixed } from "graupel/prefixed";
import { twitter } from "graupel/snowflake";
import { named } from "../support/layouts.ts";

describe("prefixed", () => {
  for (const { name: label, format } of named()) {
    test(`${label}: reads only what it writes`, () => {
      const users = prefixed(format, "usr_");
      const { min, max } = format.range();
      for (const id of [min, max, format.range(format.epoch + 123_456_789_000).min]) {
        const text = users.format(id);
        assert.equal(text, `usr_${format.format(id)}`);
        assert.equal(users.parse(text), id);
        assert.equal(users.isValid(text), true);
        assert.deepEqual(users["~standard"].validate(text), { value: id });
        const others = [id, format.format(id), ` ${text}`, `${text} `, text.toUpperCase(), `usr_${text}`];
        for (const bad of [...others, `org_${format.format(id)}`, "usr_", "", undefined, null, {}, [text]]) {
          assert.equal(users.isValid(bad), false, String(bad));
          assert.throws(() => users.parse(bad), { name: "GraupelError" });
          assert.match(JSON.stringify(users["~standard"].validate(bad)), /^{"issues":\[{"message":".+"}\]}$/);
        }
      }
    });
  }

  test("errors say what is expected, with their code", () => {
    const users = prefixed(twitter, "usr_");
    for (const [bad, code, message] of [
      [1n, "TYPE", /^id: expected text that begins with usr_, got 1n \[TYPE\]$/],
      ["org_1", "CHARACTER", /^id: expected text that begins with usr_ \[CHARACTER\]$/],
      ["usr_01", "NOT_CANONICAL", /leading zeros/],
      ["usr_9223372036854775808", "OVERFLOW", /OVERFLOW/],
      [`usr_${"1".repeat(10_000_000)}`, "LENGTH", /LENGTH/],
    ] as const) {
      assert.throws(() => users.parse(bad), { name: "GraupelError", code, message });
    }
  });

  test("a prefix ends with a character that no ID's text has", () => {
    for (const prefix of ["u_", "usr_", "A-", "a.b~", "order-item.", `a${"b".repeat(62)}_`]) {
      assert.equal(prefixed(twitter, prefix).parse(`${prefix}1`), 1n);
    }
    const texts = ["", "_", "usr", "1_", "us r_", "usr/", "ü_", "usr_\n", `a${"b".repeat(63)}_`];
    for (const prefix of [...texts, undefined, 1, /a_/, ["u_"]]) {
      const wanted = { name: "GraupelError", code: "TYPE", field: "prefix" };
      assert.throws(() => prefixed(twitter, prefix as never), wanted);
    }
  });
});
