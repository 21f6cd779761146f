// Reads the files of an npm tarball, to say in which of them two tarballs differ.

import { gunzipSync } from "node:zlib";

const BLOCK = 512;

/** A text that ends with a zero byte, or with the field. */
const text = (header, from, length) =>
  header
    .subarray(from, from + length)
    .toString("utf8")
    .replace(/\0.*$/s, "");
const octal = (header, from, length) => Number.parseInt(text(header, from, length).trim() || "0", 8);

/**
 * The entries in their order: `[name, { mode, mtime, content }]`. An entry of a kind that npm does not write is refused,
 * except for extended headers (kinds x and g), which are entries of their own here.
 */
export function entriesOf(tarball) {
  const bytes = gunzipSync(tarball);
  const entries = [];
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header[0] === 0) break;
    const kind = text(header, 156, 1) || "0";
    if (!/^[0xg]$/.test(kind)) throw new Error(`${text(header, 0, 100)}: an entry of kind ${kind}`);
    const prefix = text(header, 345, 155);
    const name = `${prefix === "" ? "" : `${prefix}/`}${text(header, 0, 100)}`;
    const size = octal(header, 124, 12);
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    entries.push([name, { mode: octal(header, 100, 8), mtime: octal(header, 136, 12), content }]);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  return entries;
}

/** Where two byte sequences differ first, with what stands there; undefined if they are equal. */
function firstDifference(a, b) {
  if (a.equals(b)) return undefined;
  const length = Math.min(a.length, b.length);
  let at = 0;
  while (at < length && a[at] === b[at]) at += 1;
  const around = (bytes) => JSON.stringify(bytes.subarray(Math.max(0, at - 40), at + 40).toString("latin1"));
  return `content, first at byte ${at}:\n    ${around(a)}\n    ${around(b)}`;
}

/** One line or more for each difference between two tarballs. Empty exactly if the bytes are the same. */
export function differences(a, b) {
  if (a.equals(b)) return [];
  const [first, second] = [entriesOf(a), entriesOf(b)];
  const [inFirst, inSecond] = [new Map(first), new Map(second)];
  const found = [];
  for (const [name] of first) if (!inSecond.has(name)) found.push(`${name}: only in the first`);
  for (const [name] of second) if (!inFirst.has(name)) found.push(`${name}: only in the second`);
  for (const [name, one] of inFirst) {
    const other = inSecond.get(name);
    if (other === undefined) continue;
    for (const fact of ["mode", "mtime"]) {
      if (one[fact] !== other[fact])
        found.push(`${name}: ${fact} ${one[fact].toString(8)} and ${other[fact].toString(8)}, octal`);
    }
    const content = firstDifference(one.content, other.content);
    if (content !== undefined) found.push(`${name}: ${content}`);
  }
  const names = (entries) => entries.map(([name]) => name).join("\n");
  if (found.length === 0 && names(first) !== names(second)) found.push("the order of the files");
  if (found.length === 0) found.push("the compression, or the headers: every file is the same");
  return found;
}
