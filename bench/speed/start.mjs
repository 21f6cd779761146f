// Measures the time of a start, in which a script imports an entry and generates its first ID. It
// is compared with an empty script and with the start of nanoid. The scripts run one after the
// other in changing order, so that all of them run under the same conditions.

import { run } from "../../xtask/lib/process.mjs";
import { ratio, spread } from "./words.mjs";

const EPOCH = "epoch: Date.UTC(2024, 0, 1)";

/** The shortest code that generates an ID, by entry. */
const CODES = {
  "graupel/sno": "sno.next()",
  "graupel/nanoflake": `nanoflake({ ${EPOCH} }).generator({ generatorId: 1 }).next()`,
  "graupel/snowflake": "twitter.generator({ datacenterId: 0, workerId: 1 }).next()",
  "graupel/snowflake-si": `snowflakeSI({ ${EPOCH} }).generator({ machineId: 1 }).next()`,
  "graupel/ulid-flake": "ulidFlake.next()",
};

/** The entries that need a random byte. */
const RANDOM = ["graupel/sno", "graupel/ulid-flake"];

const scriptOf = (entry, code) => `const { ${/^\w+/.exec(code)} } = await import("${entry}"); ${code};`;

/** The entries are compared with nanoid, which is small, popular and needs no configuration. */
const NANOID = scriptOf("nanoid", "nanoid()");

/**
 * Resolves to the script's processor time in milliseconds, without Node's own start, which is larger
 * and varies more.
 */
async function time(script) {
  const report = "const { user, system } = process.cpuUsage(began); console.log(user + system);";
  const timed = `const began = process.cpuUsage(); ${script}\n${report}`;
  return Number(await run(process.execPath, ["--input-type=module", "--eval", timed])) / 1000;
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
  return others.map((cpu) => cpu - empty);
}

/**
 * The additional time over an empty script, for each entry and nanoid. For each entry also the ratio
 * to nanoid's time in the same turn. Also returns sentences about faults.
 */
export async function measureStart(turns, say) {
  const results = [];
  const faults = [];
  const nanoids = [];
  for (const [entry, code] of Object.entries(CODES)) {
    say(`starting ${entry}, ${turns} turns`);
    try {
      const scripts = ["", scriptOf(entry, code), NANOID];
      const all = [];
      for (let turn = 0; turn < turns; turn++) all.push(await timeAll(scripts, turn));
      const [own, theirs] = [all.map(([it]) => it), all.map(([, nanoid]) => nanoid)];
      results.push({ entry, random: RANDOM.includes(entry), cpu: spread(own), toNanoid: ratio(own, theirs) });
      nanoids.push(...theirs);
    } catch (error) {
      faults.push(`${entry} could not be started: ${error.message}`);
    }
  }
  if (nanoids.length > 0) results.push({ entry: "nanoid", peer: true, cpu: spread(nanoids) });
  return { results, faults };
}
