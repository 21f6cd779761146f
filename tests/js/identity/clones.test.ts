/** A process that starts from a snapshot of a warmed-up one (`node --build-snapshot`): what was drawn is drawn again. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { build } from "esbuild";
import { testsJs } from "../support/places.ts";
import { node } from "../support/user-project.ts";

const run = promisify(execFile);
const STARTS = 4;

/** Warms up, and answers in each process that starts from the snapshot. V8 keeps no WebAssembly in one. */
const PROGRAM = `
  import { sno, twitter, ulidFlake } from "graupel/pure";
  import { startupSnapshot } from "node:v8";
  const own = sno.generator();
  const bounded = sno.generator({ sequenceMax: 9 });
  const alone = sno.generator({ isolated: true });
  const given = sno.generator({ partition: 7 });
  // First, so that no automatic partition is 7.
  given.next();
  const worker = twitter.generator({ datacenterId: 1, workerId: 2 });
  const makers = [sno, own, bounded, alone, given];
  const warm = makers.map((maker) => sno.inspect(maker.next()).partition);
  const before = worker.next();
  ulidFlake.next();
  startupSnapshot.setDeserializeMainFunction(() => {
    // At the same time in each start.
    const flakes = ulidFlake.generator({ clock: () => 1.9e12, isolated: true, sequenceFull: "borrow" }).nextMany(20);
    console.log(JSON.stringify({
      warm,
      // Before the first ID: the getter draws, too.
      told: [own, bounded, alone, given].map(({ partition }) => partition),
      partitions: makers.map((maker) => sno.inspect(maker.next()).partition),
      flakes,
      ascends: worker.next() > before,
    }));
  });
`;

interface Told {
  readonly warm: number[];
  readonly partitions: number[];
  readonly told: number[];
  readonly flakes: string[];
  readonly ascends: boolean;
}

let directory = "";
const told: Told[] = [];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "graupel-clones-"));
  const [program, blob] = [join(directory, "program.cjs"), join(directory, "program.blob")];
  await build({
    stdin: { contents: PROGRAM, resolveDir: testsJs },
    bundle: true,
    platform: "node",
    outfile: program,
  });
  // Without the options of the tests' own process, which a snapshot cannot have.
  const env = { ...process.env, NODE_OPTIONS: "" };
  await run(process.execPath, ["--snapshot-blob", blob, "--build-snapshot", program], { env });
  for (let start = 0; start < STARTS; start++) {
    const { stdout } = await run(process.execPath, ["--snapshot-blob", blob, "start"], { env });
    told.push(JSON.parse(stdout));
  }
});
after(() => rm(directory, { recursive: true }));

test("sno: each start draws its own partition, for all generators without one", () => {
  for (const { warm, partitions, told: named } of told) {
    const [shared, own, bounded, alone, given] = partitions;
    assert.deepEqual([own, given], [shared, 7]);
    assert.notEqual(bounded, shared, "overlapping bounds");
    assert.deepEqual(named, [own, bounded, alone, given]);
    assert.deepEqual([warm[1], warm[4]], [warm[0], 7]);
  }
  // Two of five by chance: odds of 1 in 6,554; so twice in a row is a repeat.
  const drawn = [told[0]?.warm[0], ...told.map(({ partitions }) => partitions[0])];
  assert.ok(new Set(drawn).size >= STARTS, `partitions ${drawn}`);
  const alone = [told[0]?.warm[3], ...told.map(({ partitions }) => partitions[3])];
  assert.ok(new Set(alone).size >= STARTS, `partitions of isolated generators ${alone}`);
});

test("Ulid-Flake: each start goes on with random bytes of its own", () => {
  const all = told.flatMap(({ flakes }) => flakes);
  // Each start has 20 of 2^20 values, so some two are equal once in 170 runs; two pairs hardly ever.
  assert.ok(new Set(all).size >= all.length - 1, `${all}`);
});

test("a generator with a number of its own goes on after what it issued before", () => {
  assert.ok(told.every(({ ascends }) => ascends));
});

test("a process whose options only look like it starts as any other", async () => {
  const program =
    'import { sno, ulidFlake } from "graupel/pure"; console.log(sno.isValid(sno.next()), ulidFlake.next().length);';
  const options = ["--title=build-snapshot", "--input-type=module", "--eval", program];
  assert.equal(await node(testsJs, ...options), "true 13\n");
});
