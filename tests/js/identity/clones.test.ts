/**
 * A process that starts from a snapshot of another one (`node --build-snapshot`). Nothing random
 * may be drawn before the start, because all starts would share it.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { build } from "esbuild";
import { testsJs } from "../support/places.ts";
import { node } from "../support/user-project.ts";

const run = promisify(execFile);
const STARTS = 4;

/** Uses the JavaScript core, because V8 cannot store WebAssembly in a snapshot. */
const PROGRAM = `
  import { sno, twitter, ulidFlake } from "graupel/pure";
  import { startupSnapshot } from "node:v8";
  const outcome = (work) => { try { return work(); } catch (error) { return error.message; } };
  const own = sno.generator();
  const alone = sno.generator({ isolated: true });
  const refused = [() => sno.next(), () => own.partition, () => alone.next(), () => ulidFlake.next()].map(outcome);
  const worker = twitter.generator({ datacenterId: 1, workerId: 2 });
  const before = worker.next();
  startupSnapshot.setDeserializeMainFunction(() => {
    // At the same time in each start.
    const flakes = ulidFlake.generator({ clock: () => 1.9e12, isolated: true, sequenceFull: "borrow" }).nextMany(20);
    const partitions = [own, alone].map((maker) => sno.inspect(maker.next()).partition);
    console.log(JSON.stringify({ refused, partitions, flakes, ascends: worker.next() > before }));
  });
`;

interface Told {
  readonly refused: string[];
  readonly partitions: [shared: number, alone: number];
  readonly flakes: string[];
  readonly ascends: boolean;
}

test("a snapshot holds given numbers alone, and each start draws its own", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "graupel-clones-"));
  t.after(() => rm(directory, { recursive: true }));
  const [outfile, blob] = [join(directory, "program.cjs"), join(directory, "program.blob")];
  await build({ stdin: { contents: PROGRAM, resolveDir: testsJs }, bundle: true, platform: "node", outfile });
  // Without the options of the tests' process, which a snapshot cannot have.
  const env = { ...process.env, NODE_OPTIONS: "" };
  await run(process.execPath, ["--snapshot-blob", blob, "--build-snapshot", outfile], { env });
  const told: Told[] = [];
  for (let start = 0; start < STARTS; start++) {
    const { stdout } = await run(process.execPath, ["--snapshot-blob", blob, "start"], { env });
    told.push(JSON.parse(stdout));
  }
  for (const { refused, ascends } of told) {
    assert.equal(refused.length, 4);
    for (const one of refused) assert.match(one, /^a snapshot is being built; .* \[RANDOM_FAILED\]$/);
    assert.ok(ascends, "a generator with a given number continues after its earlier IDs");
  }
  // Two of four are equal by chance once in 10,923 runs.
  for (const i of [0, 1] as const) {
    assert.ok(new Set(told.map(({ partitions }) => partitions[i])).size >= STARTS - 1);
  }
  const all = told.flatMap(({ flakes }) => flakes);
  // Each start draws 20 of 2^20 values, so two are equal by chance once in 170 runs. Two such pairs
  // are very unlikely.
  assert.ok(new Set(all).size >= all.length - 1, `${all}`);
});

test("a process whose options only look like it starts as any other", async () => {
  const program =
    'import { sno, ulidFlake } from "graupel/pure"; console.log(sno.isValid(sno.next()), ulidFlake.next().length);';
  const options = ["--title=build-snapshot", "--input-type=module", "--eval", program];
  assert.equal(await node(testsJs, ...options), "true 13\n");
});
