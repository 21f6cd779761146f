/** Same identity, same state: within one copy of the package, and across real copies of it loaded side by side. */
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
import { type AnyFormat, type AnyId, GraupelError, sno, snowflakeSI, ulidFlake } from "graupel";
import { IssuedIds } from "../../support/issued.mjs";
import { fileOf, packageDirectory } from "../support/places.ts";
import { told } from "../support/program.ts";
import { numberOfItsOwn } from "../support/unused-number.ts";

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

/** The package installed a second time, under another version. */
async function otherVersion(): Promise<Package> {
  const directory = join(temporary, "other");
  cpSync(packageDirectory, directory, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ ...manifest, version: "0.0.1" }));
  return import(pathToFileURL(join(directory, relative(packageDirectory, main))).href);
}

/** The package with the core as JavaScript. */
const pure = (): Promise<Package> => import("graupel/pure");

/** The package as CommonJS. */
const required: Package = createRequire(import.meta.url)("graupel");

/** The package as a script, which makes a global. */
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

/** A clock that stays for `readings` readings on each millisecond. */
function slowClock(start: number, readings: number): () => number {
  let read = 0;
  return () => start + Math.floor(read++ / readings);
}

const START = 1_750_000_000_000;

interface Options {
  readonly clock: (() => number) | undefined;
  readonly isolated?: boolean;
}

/** Halves of a number, for two fields of five bits. */
const [high, low] = [(number: number) => number >> 5, (number: number) => number & 31];

/** A format of one copy of the package, and options of its generator: equal numbers give equal identities. */
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
  /** A function that makes IDs. */
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
    const clock = () => now;
    const shared = maker(installed, number, { clock });
    const alone = [1, 2].map(() => maker(installed, number, { clock, isolated: true }));
    if (name === "ulidFlake") {
      // The IDs are random, but each generator's ascend: with a shared state, all would ascend together.
      const ids = Array.from({ length: 20 }, (_, i) => (alone[i % 2] ?? shared)()) as string[];
      assert.ok(ids.some((id, i) => i > 0 && id < (ids[i - 1] as string)));
      return;
    }
    const first = shared();
    assert.deepEqual(
      alone.map((next) => next()),
      [first, first],
    );
    // A reading of one of them does not affect the others.
    now = START + 1_000_000;
    alone[0]?.();
    now = START;
    const second = shared();
    assert.notEqual(second, first);
    assert.equal(alone[1]?.(), second);
    // Generators that are not isolated still share.
    const third = maker(installed, number, { clock, isolated: false })();
    assert.ok(third !== first && third !== second);
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
  const fixed = { machineId: 1 } as const;
  const epoch = 1.6e12 + 0.5e6;
  const format = snowflakeSI({ epoch });
  const sequence = (id: number) => format.inspect(id).sequence;
  const [one, two] = [1, 2].map(() => format.generator({ ...fixed, clock: () => START }));
  assert.deepEqual(
    [one?.next(), two?.next(), one?.next()].map((id) => sequence(id as number)),
    [0, 1, 2],
  );
  // Each reads its own clock; a reading below the other one's means that the clock went back.
  const late = format.generator({ ...fixed, clock: () => START + 9 });
  assert.equal(format.inspect(late.next()).timestamp, START + 9);
  const throwing = format.generator({ ...fixed, clock: () => START, clockBackwards: "throw" });
  assert.throws(() => throwing.next(), { code: "CLOCK_BACKWARDS", value: START });
  // Readings of the system clock are far ahead, in the same state.
  assert.ok(format.inspect(format.generator(fixed).next()).timestamp > START + 9);
  assert.throws(() => throwing.next(), { code: "CLOCK_BACKWARDS" });

  const clock = () => START;
  assert.equal(sequence(format.generator({ machineId: 2, clock }).next()), 0);
  assert.equal(
    sequence(
      snowflakeSI({ epoch: epoch + 1 })
        .generator({ ...fixed, clock })
        .next(),
    ),
    0,
  );
});

test("sno: equal bounds share, disjoint ones are independent, overlapping ones are refused", () => {
  const partition = numberOfItsOwn();
  const [low, high] = [
    { sequenceMin: 1, sequenceMax: 100 },
    { sequenceMin: 101, sequenceMax: 200 },
  ];
  const clock = () => START;
  const a = sno.generator({ partition, clock, ...low });
  const b = (copies[1] as Package).sno.generator({
    partition,
    clock: () => START,
    sequenceMin: 100,
    sequenceMax: 1,
  });
  const c = sno.generator({ partition, clock, ...high });
  assert.deepEqual(
    [a, b, c, a].map((g) => sno.inspect(g.next()).sequence),
    [1, 2, 101, 3],
  );
  const overlapping = sno.generator({ partition, clock, sequenceMin: 50, sequenceMax: 149 });
  assert.throws(() => overlapping.next(), { code: "CONFLICT", field: "sequence" });
  // A snapshot applies at once, so the overlap is refused when the generator is made.
  const fields = { partition, sequenceMin: 50, sequenceMax: 149 };
  const snapshot = sno.generator({ ...fields, clock, isolated: true }).snapshot();
  assert.throws(() => sno.generator({ clock, snapshot }), { code: "CONFLICT", field: "sequence" });
  assert.equal(sno.inspect(sno.generator({ clock, snapshot, isolated: true }).next()).sequence, 50);
  assert.equal(sno.inspect(a.next()).sequence, 4);
});

test("an injected source of randomness stands alone", () => {
  const clock = () => START;
  const random = (bytes: Uint8Array) => void bytes.fill(1);
  const options = { clock, random };
  assert.equal(ulidFlake.generator(options).next(), ulidFlake.generator(options).next());
});

test("errors are known across copies", () => {
  for (const copy of copies) {
    try {
      copy.twitter.parse("x");
      assert.fail("was accepted");
    } catch (error) {
      assert.ok(GraupelError.is(error));
      assert.equal(error.code, "CHARACTER");
    }
  }
  assert.equal(GraupelError.is(new Error("other")), false);
  assert.equal(GraupelError.is(null), false);
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
