/**
 * Generators of the same identity share their state, within one copy of the package and across
 * copies that are loaded side by side.
 */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { after, test } from "node:test";
import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";
import { build } from "esbuild";
import * as installed from "graupel";
import { type AnyFormat, sno, snowflakeSI, ulidFlake } from "graupel";
import { IssuedIds } from "../../support/issued.mjs";
import { fileOf, packageDirectory } from "../support/places.ts";
import { told } from "../support/user-project.ts";

const temporary = mkdtempSync(join(tmpdir(), "graupel-copies-"));
after(() => rmSync(temporary, { recursive: true, force: true }));

type Package = typeof installed;

const main = fileOf("graupel");

/** The package in an application's bundle. */
async function bundled(): Promise<Package> {
  const outfile = join(temporary, "bundle.mjs");
  await build({
    entryPoints: [main],
    outfile,
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
  });
  return import(pathToFileURL(outfile).href);
}

/** A second installation of the package, with another version. */
async function otherVersion(): Promise<Package> {
  const directory = join(temporary, "other");
  cpSync(packageDirectory, directory, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ ...manifest, version: "0.0.1" }));
  return import(pathToFileURL(join(directory, relative(packageDirectory, main))).href);
}

/** The package with the JavaScript core. */
const pure = (): Promise<Package> => import("graupel/pure");

/** The package as CommonJS. */
const required: Package = createRequire(import.meta.url)("graupel");

/** The package as a script, which defines a global. */
function script(): Package {
  runInThisContext(readFileSync(join(packageDirectory, "dist", "graupel.global.js"), "utf8"));
  return (globalThis as unknown as { graupel: Package }).graupel;
}

const copies: readonly Package[] = [
  installed,
  required,
  await bundled(),
  await otherVersion(),
  await pure(),
  script(),
];

test("the copies are six; on the core as JavaScript, two of them are one", () => {
  const expected = "WebAssembly" in globalThis ? 6 : 5;
  assert.equal(new Set(copies.map((copy) => copy.discord)).size, expected);
});

/** Of identities: each test has its own. */
let numbers = 1;

/** A clock that returns each millisecond for `readings` readings. */
function slowClock(start: number, readings: number): () => number {
  let read = 0;
  return () => start + Math.floor(read++ / readings);
}

const START = 1_750_000_000_000;

/** The halves of a number, for two fields of five bits. */
const [high, low] = [(number: number) => number >> 5, (number: number) => number & 31];

/**
 * A format from one copy of the package and the options of its generator. Equal numbers give equal
 * identities.
 */
const formats: Record<string, (copy: Package, number: number) => readonly [AnyFormat, object]> = {
  twitter: ({ twitter }, number) => [twitter, { datacenterId: high(number), workerId: low(number) }],
  discord: ({ discord }, number) => [
    discord,
    { internalWorkerId: high(number), internalProcessId: low(number) },
  ],
  nanoflake: ({ nanoflake }, number) => [nanoflake({ epoch: 1.6e12 }), { generatorId: number }],
  snowflakeSI: ({ snowflakeSI }, number) => [snowflakeSI({ epoch: 1.6e12 + number }), { machineId: 9 }],
  sno: ({ sno }, number) => [sno, { partition: number }],
  ulidFlake: ({ ulidFlake }, number) => [ulidFlake.withEpoch(1.7e12 + number), { sequenceFull: "borrow" }],
};

for (const [name, formatOf] of Object.entries(formats)) {
  for (const [what, clock] of [
    ["the system's clock", undefined],
    ["a clock of their own", slowClock(START, 50)],
  ] as const) {
    test(`${name}: the generators of six copies have one state, on ${what}`, () => {
      const number = numbers++;
      const makers = copies.map((copy) => {
        const [format, fixed] = formatOf(copy, number);
        return () => format.generator({ ...fixed, clock });
      });
      const kept = makers.map((make) => make());
      const issued = new IssuedIds();
      for (let i = 0; i < 3000; i++) {
        const at = i % copies.length;
        issued.add(kept[at]?.next());
        // A new generator for each call.
        issued.add(makers[at]?.().next());
      }
      assert.equal(issued.count, 6000);
    });
  }
}

test("another clock function is the same identity; another fixed field or another epoch is another", () => {
  const epoch = 1.6e12 + 0.5e6;
  const format = snowflakeSI({ epoch });
  const at = (now: number, more = {}) => format.generator({ machineId: 1, clock: () => now, ...more });
  const sequence = (id: number) => format.inspect(id).sequence;
  const [one, two] = [at(START), at(START)];
  assert.deepEqual([one.next(), two.next(), one.next()].map(sequence), [0, 1, 2]);
  // Each generator reads its own clock. A reading below the other's means that the clock went back.
  assert.equal(format.inspect(at(START + 9).next()).timestamp, START + 9);
  const throwing = at(START, { clockBackwards: "throw" });
  assert.throws(() => throwing.next(), { code: "CLOCK_BACKWARDS", value: START });
  // Readings of the system clock are far ahead and use the same state.
  assert.ok(format.inspect(format.generator({ machineId: 1 }).next()).timestamp > START + 9);
  assert.throws(() => throwing.next(), { code: "CLOCK_BACKWARDS" });

  assert.equal(sequence(at(START, { machineId: 2 }).next()), 0);
  const later = snowflakeSI({ epoch: epoch + 1 });
  assert.equal(sequence(later.generator({ machineId: 1, clock: () => START }).next()), 0);
});

test("sno: equal bounds share, disjoint ones are independent, overlapping ones are refused", () => {
  const partition = numbers++;
  const clock = () => START;
  const of = (sequenceMin: number, sequenceMax: number, copy = installed, more = {}) =>
    copy.sno.generator({ partition, sequenceMin, sequenceMax, clock, ...more });
  const [a, b, c] = [of(1, 100), of(100, 1, required), of(101, 200)];
  const sequences = [a, b, c, a].map((one) => sno.inspect(one.next()).sequence);
  assert.deepEqual(sequences, [1, 2, 101, 3]);
  const overlap = { code: "CONFLICT", field: "sequence" };
  assert.throws(() => of(50, 149).next(), overlap);
  // A snapshot applies at once, so creating the generator fails because of the overlap.
  const snapshot = of(50, 149, installed, { isolated: true }).snapshot();
  assert.throws(() => sno.generator({ clock, snapshot }), overlap);
  assert.equal(sno.inspect(sno.generator({ clock, snapshot, isolated: true }).next()).sequence, 50);
  assert.equal(sno.inspect(a.next()).sequence, 4);
});

test("an injected source of randomness stands alone", () => {
  const clock = () => START;
  const random = (bytes: Uint8Array) => void bytes.fill(1);
  const options = { clock, random };
  assert.equal(ulidFlake.generator(options).next(), ulidFlake.generator(options).next());
});

test("a registry of an unknown version is an error, not a second state", async () => {
  const seen = await told(`
    globalThis[Symbol.for("graupel.registry")] = { version: 999 };
    const { twitter } = await import("graupel/snowflake");
    try {
      twitter.generator({ datacenterId: 0, workerId: 0 }).next();
    } catch ({ code, value, message }) {
      console.log(JSON.stringify([code, value, message]));
    }`);
  const message = "two versions of graupel are loaded; install one [REGISTRY]";
  assert.deepEqual(seen, ["REGISTRY", 999, message]);
});

test("a frozen globalThis is an error, unless an ID was made before", async () => {
  const [before, after] = ["", "sno.next();"].map((first) =>
    told(`
      import { sno, snowflakeSI } from "graupel";
      ${first}
      Object.freeze(globalThis);
      const machine = snowflakeSI({ epoch: 1.6e12 }).generator({ machineId: 1 });
      const said = [sno.next, sno.next, machine.next].map((call) => {
        try {
          return typeof call();
        } catch ({ code, message }) {
          return [code, message];
        }
      });
      console.log(JSON.stringify([...said, sno.inspect("2222222222222222").ticks]));`),
  );
  const refused = ["REGISTRY", "globalThis is frozen; generate an ID before you freeze it [REGISTRY]"];
  assert.deepEqual(await before, [refused, refused, refused, 0]);
  assert.deepEqual(await after, ["string", "string", "number", 0]);
});
