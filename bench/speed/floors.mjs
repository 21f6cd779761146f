// What everything is measured against. D is one `Date.now()`; F, the floor of a result, is a clock reading, one call
// into a trivial WebAssembly module, and the engine's own making of that result.

import { trivial } from "./trivial.mjs";
import { used } from "./uses.mjs";

export const D = "Date.now()";

const { number, bigint, write, u8 } = trivial();

/** The fastest way there is to a flat string of so many of the 16 bytes. */
const text = (length) =>
  `String.fromCharCode(${Array.from({ length }, (_, i) => `u8[${16 - length + i}]`).join(", ")})`;

const scope = { number, bigint, write, u8 };

/** The floor of each kind of result, by name. */
const results = {
  number: "number(Date.now())",
  bigint: "bigint(Date.now())",
  text16: `(write(Date.now()), ${text(16)})`,
  text13: `(write(Date.now()), ${text(13)})`,
};

/** The engine's own part of it, without clock or call: for information. */
const own = {
  "a BigInt, from WebAssembly": "bigint(i)",
  "a flat text of 16 characters": text(16),
};

const plain = Object.entries({ [D]: D, ...results, ...own }).map(([operation, code]) => {
  return { subject: "floor", operation, code, scope };
});

export const floorCases = plain.flatMap((one) => [
  one,
  ...(one.operation.startsWith("text") ? used(one) : []),
]);
