// The names between JavaScript and the module: one letter each in what is shipped, as names compress badly. The sources
// in js/ mark them with a dollar sign: `$next`.

import { Refusal } from "./process.mjs";

/**
 * Part of the contract between copies of the package, as one copy calls the module of another (js/generator/identity.ts): a name
 * keeps its letter for ever, and a new one takes a letter that none has had.
 */
const LETTERS = {
  memory: "m",
  area: "a",
  compose: "c",
  fill: "f",
  inspect: "i",
  interval: "v",
  merge: "g",
  next: "n",
  notifies: "y",
  open: "o",
  parse: "p",
  print: "t",
  range: "r",
  restore: "w",
  rule: "u",
  save: "s",
  schema: "h",
  tick: "k",
};
/** All that the module imports: a source of entropy. */
const ENTROPY = "e";

/** For esbuild: the names in js/, and what they become. */
export const shortNames = { $entropy: ENTROPY };
for (const [name, letter] of Object.entries(LETTERS)) shortNames[`$${name}`] = letter;

/** The types of the exports, as wasm-bindgen writes them, with the names that js/ has for them. */
export const mark = (declarations) =>
  declarations.replace(/^( +readonly )(?=\w+: )/gm, (start) => `${start}$`);

/** The sections of a module that hold names. */
const IMPORTS = 2;
const EXPORTS = 7;
const HEADER_BYTES = 8;

/** The module with the short names. */
export function shorten(module) {
  const parts = [module.subarray(0, HEADER_BYTES)];
  for (let end = HEADER_BYTES; end < module.length; ) {
    const [id, size] = [module[end], readNumber(module, end + 1)];
    end = size.next + size.value;
    const content = module.subarray(size.next, end);
    const short = id === IMPORTS ? shortImport(content) : id === EXPORTS ? shortExports(content) : content;
    parts.push(Buffer.from([id]), writeNumber(short.length), short);
  }
  return Buffer.concat(parts);
}

/** An import: the name of its module, its own, and what it is. */
function shortImport(content) {
  const count = readNumber(content, 0);
  if (count.value !== 1) throw new Refusal(`Expected one import, a source of entropy, got ${count.value}.`);
  const from = readName(content, count.next);
  const { next } = readName(content, from.next);
  return Buffer.concat([writeNumber(1), writeName(ENTROPY), writeName(ENTROPY), content.subarray(next)]);
}

/** Exports: of each its name, its kind, which is a byte, and its number. */
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

/** Numbers are written in groups of seven bits, low to high; all but the last have the top bit. */
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
