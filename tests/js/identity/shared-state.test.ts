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
import { type AnyFormat, type AnyId, sno, snowflakeSI, ulidFlake } from "graupel";
import { IssuedIds } from "../../support/issued.mjs";
import { fileOf, packageDirectory } from "../support/places.ts";
import { numberOfItsOwn } from "../support/unused-number.ts";
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

/** A clock that returns each millisecond for `readings` readings. */
function slowClock(start: number, readings: number): () => number {
  let read = 0;
  return () => start + Math.floor(read++ / readings);
}

const START = 1_750_000_000_000;

interface Options {
  readonly clock: (() => number) | undefined;
  readonly isolated?: boolean;
}

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
  /** A function that generates IDs. */
  const maker = (copy: Package, number: number, options: Options): (() => AnyId) => {
    const [format, fixed] = formatOf(copy, number);
    const g = format.generator({ ...fixed, ...options });
    return name === "nanoflake" ? g.nextText : g.next;
  };

  const slow = slowClock(START, 50);
  for (const [what, count, next] of [
    ["six copies, one state", 3000, turnsOf(undefined)],
    ["six copies, one state, on a clock of one's own", 3000, turnsOf(slow)],
    ["a generator of any copy for each call", 3000, (i, n) => copy(i, n, { clock: slow })()],
    [
      "a generator for each call, with its own clock",
      5000,
      (_, n) => copy(0, n, { clock: () => Date.now() })(),
    ],
  ] as readonly [string, number, (i: number, number: number) => AnyId][]) {
    test(`${name}: ${what}`, () => {
      const number = numberOfItsOwn();
      const issued = new IssuedIds();
      for (let i = 0; i < count; i++) issued.add(next(i, number));
      assert.equal(issued.count, count);
    });
  }
  function copy(i: number, number: number, options: Options) {
    return maker(copies[i % copies.length] as Package, number, options);
  }
  /** The generators of all copies take turns. */
  function turnsOf(clock: Options["clock"]) {
    let turns: (() => AnyId)[] | undefined;
    return (i: number, number: number): AnyId => {
      turns ??= copies.map((one) => maker(one, number, { clock }));
      return (turns[i % turns.length] as () => AnyId)();
    };
  }

  test(`${name}: an isolated generator shares with nobody`, () => {
    const number = numberOfItsOwn();
    let now = START;
    const make = (isolated: boolean) => maker(installed, number, { clock: () => now, isolated });
    const [shared, alone, other] = [make(false), make(true), make(true)];
    if (name === "ulidFlake") {
      // The IDs are random, but those of each generator ascend. With a shared state, all would
      // ascend together.
      const ids = Array.from({ length: 20 }, (_, i) => (i % 2 ? alone : other)()) as string[];
      assert.ok(ids.some((id, i) => i > 0 && id < (ids[i - 1] as string)));
      return;
    }
    const first = shared();
    assert.deepEqual([alone(), other()], [first, first]);
    // A reading of one of them does not affect the others.
    now = START + 1_000_000;
    alone();
    now = START;
    const second = shared();
    assert.notEqual(second, first);
    assert.equal(other(), second);
  });
}

test("batches, asynchronous calls and given times of several copies never meet", async () => {
  const clock = slowClock(START, 20);
  const seen: bigint[] = [];
  const number = numberOfItsOwn();
  const fields = { datacenterId: number >> 5, workerId: number & 31 };
  const [a, b, c] = copies.map((copy) => copy.twitter.generator({ ...fields, clock }));
  assert.ok(a && b && c);
  seen.push(a.at(START - 1000), b.at(START - 1000), c.at(START - 2000));
  for (let i = 0; i < 50; i++) {
    seen.push(...a.nextMany(100), b.next(), ...c.nextMany(30));
    seen.push(...(await Promise.all([a.nextAsync(), b.nextAsync(), c.nextAsync()])));
  }
  assert.equal(new Set(seen).size, seen.length);
  assert.deepEqual(a.stats(), c.stats());
  assert.equal(b.stats().issued, seen.length);
});

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
  const partition = numberOfItsOwn();
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
  const message = "two versions of graupel are loaded (999, 11); install one [REGISTRY]";
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
