// What a process pays for starting: an entry imported and its first ID made, over an empty script. In pairs, one
// right after the other and first in turn, so that both meet the same machine.

import { spawnSync } from "node:child_process";
import { fromRoot } from "../../xtask/lib/process.mjs";
import { spread } from "./statistics.mjs";

const EPOCH = "epoch: Date.UTC(2024, 0, 1)";

/** Each entry, and the shortest program that makes an ID with it. */
const ENTRIES = {
  sno: `import { sno } from "graupel/sno"; sno.next();`,
  nanoflake: `import { nanoflake } from "graupel/nanoflake"; nanoflake({ ${EPOCH} }).generator({ generatorId: 1 }).next();`,
  snowflake: `import { twitter } from "graupel/snowflake"; twitter.generator({ datacenterId: 0, workerId: 1 }).next();`,
  "snowflake-si": `import { snowflakeSI } from "graupel/snowflake-si"; snowflakeSI({ ${EPOCH} }).generator({ machineId: 1 }).next();`,
  "ulid-flake": `import { ulidFlake } from "graupel/ulid-flake"; ulidFlake.next();`,
};

/** What nobody gets around: a file, a module of WebAssembly with nothing in it, and where IDs are random, a random byte. */
const FILE = `import "./bench/speed/nothing.mjs";`;
const MODULE =
  "new WebAssembly.Instance(new WebAssembly.Module(Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0)));";
const RANDOM = "crypto.getRandomValues(new Uint8Array(1));";
const FLOORS = {
  "an empty file": FILE,
  "with an empty module": FILE + MODULE,
  "and with a random byte": FILE + MODULE + RANDOM,
};

/** The last statement of both scripts: the processor's time so far, in microseconds. */
const REPORT = "const { user, system } = process.cpuUsage(); process.stdout.write(String(user + system));";

/** Milliseconds of a whole process by the clock, and of its processor until its last statement. */
function time(script) {
  const since = performance.now();
  const args = ["--input-type=module", "--eval", `${script}\n${REPORT}`];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: fromRoot(), encoding: "utf8" });
  const wall = performance.now() - since;
  if (status !== 0) throw new Error(stderr.trim() || `exit code ${status}`);
  return { wall, cpu: Number(stdout) / 1000 };
}

/**
 * For each entry, and for what nobody gets around, the difference of the pairs, by the clock and of the processor's
 * time; and sentences about faults.
 */
export function measureStart(pairs, say) {
  const results = [];
  const faults = [];
  const floors = Object.entries(FLOORS).map(([entry, script]) => ({ entry, script, floor: true }));
  const entries = Object.entries(ENTRIES).map(([name, script]) => ({ entry: `graupel/${name}`, script }));
  for (const { script, ...one } of [...floors, ...entries]) {
    const { entry } = one;
    say(`starting ${entry}, ${pairs} pairs`);
    try {
      const differences = Array.from({ length: pairs }, (_, i) => {
        const first = time(i % 2 === 0 ? script : "");
        const second = time(i % 2 === 0 ? "" : script);
        const [full, empty] = i % 2 === 0 ? [first, second] : [second, first];
        return { wall: full.wall - empty.wall, cpu: full.cpu - empty.cpu };
      });
      const by = (key) => spread(differences.map((difference) => difference[key]));
      results.push({ ...one, wall: by("wall"), cpu: by("cpu") });
    } catch (error) {
      faults.push(`${entry} could not be started: ${error.message}`);
    }
  }
  return { results, faults };
}
