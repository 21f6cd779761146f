// The floors that all figures are compared with. D is one `Date.now()`. F, the floor of a result, is a clock reading, one
// call into a trivial WebAssembly module, and the engine's creation of that result.

import { trivial } from "./trivial.mjs";
import { used } from "./uses.mjs";

export const D = "Date.now()";

const { number, bigint, write, read, u8 } = trivial();

/** Code for the fastest way to make a flat string of the last `length` of the 16 bytes. */
const text = (length) =>
  `String.fromCharCode(${Array.from({ length }, (_, i) => `u8[${16 - length + i}]`).join(", ")})`;

/** Texts and numbers to read: flat, like those from a socket. */
const texts = Array.from({ length: 16 }, (_, i) =>
  Buffer.from("brpk4q72xwf2m63".padEnd(16, `${i % 8}`)).toString("latin1"),
);
const numbers = new Float64Array(1024);
const ids = Array.from({ length: 16 }, (_, i) => 1_585_841_080_431_321_088n + BigInt(i));
const nothing = (_id) => 1;
function sum(characters) {
  let all = 0;
  for (let i = 0; i < characters.length; i++) all |= characters.charCodeAt(i);
  return all;
}

const scope = { number, bigint, write, read, u8, texts, numbers, ids, sum, nothing };

/** The floor of each kind of result, by name. */
const results = {
  number: "number(Date.now())",
  bigint: "bigint(Date.now())",
  text16: `(write(Date.now()), ${text(16)})`,
  text13: `(write(Date.now()), ${text(13)})`,
};

/** The engine's own part of graupel's work, without clock or call: it explains most of the missed targets. */
const own = {
  "a BigInt, from WebAssembly": "bigint(i)",
  "a BigInt, to WebAssembly": "read(ids[i & 15])",
  "a BigInt, to an empty function": "nothing(ids[i & 15])",
  "a flat text of 16 characters": text(16),
  "16 characters, one by one": "sum(texts[i & 15])",
  "a Date": "new Date(1e12 + i)",
  "200 numbers, copied": "numbers.slice(0, 200)",
};

const plain = Object.entries({ [D]: D, ...results, ...own }).map(([operation, code]) => {
  return { subject: "floor", operation, code, scope };
});

export const floorCases = plain.flatMap((one) => [
  one,
  ...(one.operation.startsWith("text") ? used(one) : []),
]);
