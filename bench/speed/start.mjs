// Measures the time of a start, in which a script imports an entry and generates its first ID. It
// is compared with an empty script and with the start of nanoid. The scripts run one after the
// other in changing order, so that all of them run under the same conditions.

import { fromRoot, run } from "../../xtask/lib/process.mjs";
import { ratio, spread } from "./words.mjs";

const EPOCH = "epoch: Date.UTC(2024, 0, 1)";

/**
 * Each entry, with the shortest program that generates an ID. `random`: whether it needs a random
 * byte.
 */
const ENTRIES = [
  { entry: "graupel/sno", script: `import { sno } from "graupel/sno"; sno.next();`, random: true },
  {
    entry: "graupel/nanoflake",
    script: `import { nanoflake } from "graupel/nanoflake"; nanoflake({ ${EPOCH} }).generator({ generatorId: 1 }).next();`,
  },
  {
    entry: "graupel/snowflake",
    script: `import { twitter } from "graupel/snowflake"; twitter.generator({ datacenterId: 0, workerId: 1 }).next();`,
  },
  {
    entry: "graupel/snowflake-si",
    script: `import { snowflakeSI } from "graupel/snowflake-si"; snowflakeSI({ ${EPOCH} }).generator({ machineId: 1 }).next();`,
  },
  {
    entry: "graupel/ulid-flake",
    script: `import { ulidFlake } from "graupel/ulid-flake"; ulidFlake.next();`,
    random: true,
  },
];

/** The entries are compared with nanoid, which is small, popular and needs no configuration. */
const NANOID = `import { nanoid } from "nanoid"; nanoid();`;

/**
 * The last statement of every script: its processor time in microseconds, without Node's own start
 * (began.cjs).
 */
const REPORT =
  "const { user, system } = process.cpuUsage(began); process.stdout.write(String(user + system));";
const BEGAN = ["--require", fromRoot("bench", "speed", "began.cjs")];

/**
 * Resolves to two durations in milliseconds: the elapsed time of the whole process, and the
 * script's processor time.
 */
async function time(script) {
  const since = performance.now();
  const args = [...BEGAN, "--input-type=module", "--eval", `${script}\n${REPORT}`];
  const used = await run(process.execPath, args);
  return { wall: performance.now() - since, cpu: Number(used) / 1000 };
}

/**
 * Measures each script once. Each turn starts with another script, and every second turn runs in
 * reverse order.
 */
async function timeAll(scripts, turn) {
  const times = new Array(scripts.length);
  for (let i = 0; i < scripts.length; i++) {
    const step = turn % 2 === 0 ? i : scripts.length - 1 - i;
    const at = (step + (turn >> 1)) % scripts.length;
    times[at] = await time(scripts[at]);
  }
  const [empty, ...others] = times;
  return others.map(({ wall, cpu }) => ({ wall: wall - empty.wall, cpu: cpu - empty.cpu }));
}

/**
 * The additional time over an empty script, for each entry and nanoid. For each entry also the ratio
 * to nanoid's processor time in the same turn. Also returns sentences about faults.
 */
export async function measureStart(turns, say) {
  const results = [];
  const faults = [];
  const nanoids = [];
  const spreads = (times) => ({
    wall: spread(times.map(({ wall }) => wall)),
    cpu: spread(times.map(({ cpu }) => cpu)),
  });
  for (const { script, ...one } of ENTRIES) {
    say(`starting ${one.entry}, ${turns} turns`);
    try {
      const all = [];
      for (let turn = 0; turn < turns; turn++) all.push(await timeAll(["", script, NANOID], turn));
      const [own, theirs] = [all.map(([it]) => it), all.map(([, nanoid]) => nanoid)];
      const cpu = (times) => times.map((time) => time.cpu);
      results.push({
        ...one,
        ...spreads(own),
        toNanoid: ratio(cpu(own), cpu(theirs)),
      });
      nanoids.push(...theirs);
    } catch (error) {
      faults.push(`${one.entry} could not be started: ${error.message}`);
    }
  }
  if (nanoids.length > 0) results.push({ entry: "nanoid", peer: true, ...spreads(nanoids) });
  return { results, faults };
}
