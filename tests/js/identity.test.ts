/** Same identity, same state: within one copy of the package, and across real copies of it loaded side by side. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { build } from "esbuild";
import * as installed from "graupel";
import { discord, GraupelError, nanoflake, sno, snowflakeSI, twitter, ulidFlake } from "graupel";

const here = dirname(fileURLToPath(import.meta.url));
const packageDir = join(here, "node_modules", "graupel");
const temporary = mkdtempSync(join(tmpdir(), "graupel-copies-"));
after(() => rmSync(temporary, { recursive: true, force: true }));

type Package = typeof installed;

/** The package as an application's bundle would hold it. */
async function bundled(): Promise<Package> {
  const outfile = join(temporary, "bundle.mjs");
  await build({
    entryPoints: [join(packageDir, "dist/index.js")],
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
  cpSync(packageDir, directory, { recursive: true });
  const manifest = JSON.parse(readFileSync(join(directory, "package.json"), "utf8"));
  writeFileSync(join(directory, "package.json"), JSON.stringify({ ...manifest, version: "0.0.1" }));
  return import(pathToFileURL(join(directory, "dist/index.js")).href);
}

const copies: readonly Package[] = [installed, await bundled(), await otherVersion()];

/** A clock that stays for `readings` readings on each millisecond. */
function slowClock(start: number, readings: number): () => number {
  let read = 0;
  return () => start + Math.floor(read++ / readings);
}

const START = 1_750_000_000_000;

/** Makers of one ID from one copy, for the same identity in each. */
const makers: Record<string, (copy: Package, clock: (() => number) | undefined) => () => unknown> = {
  twitter: (copy, clock) => {
    const g = copy.twitter.generator({ datacenterId: 1, workerId: 2, clock });
    return () => g.next();
  },
  discord: (copy, clock) => {
    const g = copy.discord.generator({ internalWorkerId: 1, internalProcessId: 2, clock });
    return () => g.next();
  },
  nanoflake: (copy, clock) => {
    const g = copy.nanoflake({ epoch: 1.6e12 }).generator({ generatorId: 9, clock });
    return () => g.nextText();
  },
  snowflakeSI: (copy, clock) => {
    const g = copy.snowflakeSI({ epoch: 1.6e12 }).generator({ machineId: 9, clock });
    return () => g.next();
  },
  sno: (copy, clock) => {
    const g = copy.sno.generator({ partition: 9, clock });
    return () => g.next();
  },
  ulidFlake: (copy, clock) => {
    const g = copy.ulidFlake.generator({ sequenceFull: "borrow", clock });
    return () => g.next();
  },
};

for (const [name, maker] of Object.entries(makers)) {
  test(`${name}: three copies, one state`, () => {
    for (const clock of [undefined, slowClock(START, 50)]) {
      const seen = new Set<unknown>();
      const turns = copies.map((copy) => maker(copy, clock));
      for (let i = 0; i < 3000; i++) {
        seen.add(turns[i % turns.length]?.());
      }
      assert.equal(seen.size, 3000);
    }
  });

  test(`${name}: a generator for each call`, () => {
    const clock = slowClock(START, 100);
    const seen = new Set<unknown>();
    for (let i = 0; i < 3000; i++) {
      seen.add(maker(copies[i % copies.length] as Package, clock)());
    }
    assert.equal(seen.size, 3000);
  });
}

test("batches, asynchronous calls and given times of several copies never meet", async () => {
  const clock = slowClock(START, 20);
  const seen: bigint[] = [];
  const [a, b, c] = copies.map((copy) => copy.twitter.generator({ datacenterId: 3, workerId: 4, clock }));
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

test("what a format shows of its layout may be written into, and changes nothing", () => {
  const clock = () => START;
  const format = snowflakeSI({ epoch: 1.5e12 });
  const one = format.generator({ machineId: 1, clock });
  const id = one.next();
  Object.assign(format.layout, { tickMs: 9 });
  for (const field of format.layout.fields) {
    Object.assign(field, { name: "spoilt", bits: 3 });
  }
  assert.equal(format.generator({ machineId: 1, clock }).next(), id + 1);
  assert.equal(format.generator({ machineId: 1, clock, snapshot: one.snapshot() }).next(), id + 2);
});

test("another clock function, another fixed field or another epoch is another identity", () => {
  const fixed = { machineId: 1 } as const;
  const format = snowflakeSI({ epoch: 1.6e12 });
  const one = format.generator({ ...fixed, clock: () => START });
  const two = format.generator({ ...fixed, clock: () => START });
  assert.equal(one.next(), two.next());
  const clock = () => START;
  assert.notEqual(
    format.generator({ machineId: 2, clock }).next(),
    format.generator({ ...fixed, clock }).next(),
  );
});

test("the system clock is one identity, however it is passed", () => {
  const plain = discord.generator({ internalWorkerId: 7, internalProcessId: 7 });
  const passed = discord.generator({ internalWorkerId: 7, internalProcessId: 7, clock: Date.now });
  const seen = new Set([...plain.nextMany(100), ...passed.nextMany(100), plain.next(), passed.next()]);
  assert.equal(seen.size, 202);
});

test("sno: equal bounds share, disjoint ones are independent, overlapping ones are refused", () => {
  const clock = () => START;
  const [low, high] = [
    { sequenceMin: 1, sequenceMax: 100 },
    { sequenceMin: 101, sequenceMax: 200 },
  ];
  const a = sno.generator({ partition: 5, clock, ...low });
  const b = (copies[1] as Package).sno.generator({ partition: 5, clock, sequenceMin: 100, sequenceMax: 1 });
  const c = sno.generator({ partition: 5, clock, ...high });
  assert.deepEqual(
    [a, b, c, a].map((g) => sno.inspect(g.next()).sequence),
    [1, 2, 101, 3],
  );
  const overlapping = sno.generator({ partition: 5, clock, sequenceMin: 50, sequenceMax: 149 });
  assert.throws(() => overlapping.next(), { code: "CONFLICT", field: "sequenceMin" });
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
  const code = `
    globalThis[Symbol.for("graupel.registry")] = { version: 999 };
    const { twitter } = await import("graupel/snowflake");
    try { twitter.generator({ datacenterId: 0, workerId: 0 }).next(); } catch (error) { console.log(error.code, error.value); }`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", code], {
    cwd: here,
  });
  assert.equal(stdout.trim(), "REGISTRY 999");
});

test("twitter and nanoflake with the same epoch and machine fields are the same integer", () => {
  const like = nanoflake({ epoch: twitter.epoch });
  const fields = { timestamp: START, sequence: 5 };
  const both = [
    twitter.compose({ ...fields, datacenterId: 3, workerId: 7 }),
    like.compose({ ...fields, generatorId: (3 << 5) | 7 }),
  ];
  assert.equal(both[0], both[1]);
});
