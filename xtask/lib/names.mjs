// The names of the module's exports and import. The shipped module has one letter for each, because names compress badly.
// The sources in js/ mark them with a dollar sign: `$next`.

import { Refusal } from "./process.mjs";

/** The exports. Only one copy of the package uses them, so any order will do. */
const EXPORTS = [
  ...["memory", "area", "schema", "compose", "inspect", "parse", "print", "range", "tick"],
  ...["open", "rule", "next", "fill", "refill", "save", "restore", "merge"],
];
const LETTERS = Object.fromEntries(EXPORTS.map((name, i) => [name, String.fromCharCode(97 + i)]));
/** The module's only import: a source of random bytes. */
const ENTROPY = "e";

/** For esbuild: the names in js/ and their letters. */
export const shortNames = { $entropy: ENTROPY };
for (const [name, letter] of Object.entries(LETTERS)) shortNames[`$${name}`] = letter;

/** The types of the exports from wasm-bindgen, with the names of js/. */
export const mark = (declarations) =>
  declarations.replace(/^( +readonly )(?=\w+: )/gm, (start) => `${start}$`);

/** The IDs of the sections that hold names. */
const IMPORTED = 2;
const EXPORTED = 7;
const HEADER_BYTES = 8;

/** Replaces the names in a module by their letters. */
export function shorten(module) {
  const parts = [module.subarray(0, HEADER_BYTES)];
  for (let end = HEADER_BYTES; end < module.length; ) {
    const [id, size] = [module[end], readNumber(module, end + 1)];
    end = size.next + size.value;
    const content = module.subarray(size.next, end);
    const short = id === IMPORTED ? shortImport(content) : id === EXPORTED ? shortExports(content) : content;
    parts.push(Buffer.from([id]), writeNumber(short.length), short);
  }
  return Buffer.concat(parts);
}

/** An import has the name of its module, its own name, and a type. */
function shortImport(content) {
  const count = readNumber(content, 0);
  if (count.value !== 1) throw new Refusal(`Expected one import, a source of entropy, got ${count.value}.`);
  const from = readName(content, count.next);
  const { next } = readName(content, from.next);
  return Buffer.concat([writeNumber(1), writeName(ENTROPY), writeName(ENTROPY), content.subarray(next)]);
}

/** An export has its name, a byte for its kind, and its index. */
function shortExports(content) {
  let { value: left, next } = readNumber(content, 0);
  const parts = [content.subarray(0, next)];
  for (; left > 0; left--) {
    const name = readName(content, next);
    const letter = LETTERS[name.value];
    if (letter === undefined)
      throw new Refusal(`The export ${name.value} has no letter in xtask/lib/names.mjs.`);
    ({ next } = readNumber(content, name.next + 1));
    parts.push(writeName(letter), content.subarray(name.next, next));
  }
  return Buffer.concat(parts);
}

/** LEB128: groups of seven bits, low to high. All bytes but the last have the top bit set. */
function readNumber(bytes, at) {
  let value = 0;
  let next = at;
  for (let factor = 1; ; factor *= 128) {
    const byte = bytes[next++];
    value += (byte & 127) * factor;
    if (byte < 128) return { value, next };
  }
}

function writeNumber(value) {
  const bytes = [];
  let rest = value;
  for (; rest > 127; rest >>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

function readName(bytes, at) {
  const length = readNumber(bytes, at);
  const next = length.next + length.value;
  return { value: Buffer.from(bytes.subarray(length.next, next)).toString(), next };
}

const writeName = (name) => Buffer.concat([writeNumber(name.length), Buffer.from(name)]);
