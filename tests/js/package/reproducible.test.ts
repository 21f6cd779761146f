// What `node xtask/reproducible.mjs` says about two tarballs. (The run itself builds twice, which takes minutes.)

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { gunzipSync, gzipSync } from "node:zlib";
import { root } from "../support/places.ts";
import { output, tarball as packed } from "../support/user-project.ts";

interface Entry {
  readonly mode: number;
  readonly mtime: number;
  readonly content: Buffer;
}
const { differences, entriesOf } = (await import(
  new URL("../../../xtask/lib/tar.mjs", import.meta.url).href
)) as {
  differences(a: Buffer, b: Buffer): string[];
  entriesOf(tarball: Buffer): [name: string, entry: Entry][];
};

const tarball = readFileSync(packed());

/** The tarball with some bytes replaced by others, once it is unzipped. */
function changed(from: string, to: string): Buffer {
  const bytes = gunzipSync(tarball);
  const at = bytes.indexOf(from);
  assert.ok(at >= 0 && from.length === to.length);
  bytes.write(to, at, "latin1");
  return gzipSync(bytes, { level: 9 });
}

test("every file of the tarball is read, with its content and nothing of the machine", async () => {
  const entries = entriesOf(tarball);
  const listed = (await output(["tar", "-tzf", packed()], root)).trim().split("\n");
  assert.deepEqual(
    entries.map(([name]) => name),
    listed,
  );
  const manifest = new Map(entries).get("package/package.json");
  assert.equal(JSON.parse(manifest?.content.toString() ?? "").name, "graupel");
  // npm's own date, and modes that do not depend on who packs.
  assert.deepEqual(
    [...new Set(entries.map(([, { mtime }]) => mtime))],
    [Date.UTC(1985, 9, 26, 8, 15) / 1000],
  );
  assert.deepEqual(
    entries.filter(([, { mode }]) => mode !== 0o644 && mode !== 0o755).map(([name]) => name),
    [],
  );
});

test("what differs between two tarballs is said", () => {
  const of = (other: Buffer) => differences(tarball, other);
  assert.deepEqual(of(Buffer.from(tarball)), []);
  const [byte = "", ...more] = of(changed('"name": "graupel"', '"name": "graUpel"'));
  assert.match(byte, /^package\/package\.json: content, first at byte 1\d:\n.*graupel.*\n.*graUpel/);
  assert.deepEqual(more, []);
  assert.deepEqual(of(changed("package/LICENSE", "package/LICENCE")), [
    "package/LICENSE: only in the first",
    "package/LICENCE: only in the second",
  ]);
  assert.deepEqual(of(gzipSync(gunzipSync(tarball), { level: 1 })), [
    "the compression, or the headers: every file is the same",
  ]);
});
