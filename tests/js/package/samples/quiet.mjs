// Loads every entry (the arguments of this program) and creates every format and generator while
// WebAssembly, the clock and randomness throw. Then uses some generators and shows that each of the
// three is needed. Prints which ones were used.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const entries = process.argv.slice(2);
// Peer dependencies may use them when they load, so they are loaded first.
for (const name of entries) {
  const text = readFileSync(fileURLToPath(import.meta.resolve(name)), "utf8");
  for (const [, peer] of text.matchAll(/ from "([@a-z][^"]*)"/g)) await import(peer);
}

const touched = new Set();

/**
 * Replaces functions of an object with ones that record the call and throw. Returns a function that
 * restores them.
 */
function forbid(kind, object, ...names) {
  const originals = names.map((name) => [name, object[name]]);
  const refuse = () => {
    touched.add(kind);
    throw new Error(`${kind} is out of reach`);
  };
  for (const [name, original] of originals) {
    // A proxy, so that `instanceof` still works.
    const value = new Proxy(original, { apply: refuse, construct: refuse });
    Object.defineProperty(object, name, { value, configurable: true, writable: true });
  }
  return () => {
    for (const [name, value] of originals) Object.defineProperty(object, name, { value });
  };
}

const allowModule = forbid("module", WebAssembly, "Module", "Instance", "compile", "instantiate");
forbid("randomness", crypto, "getRandomValues", "randomUUID");
forbid("randomness", Math, "random");
const clocks = [
  forbid("clock", Date, "now"),
  forbid("clock", performance, "now"),
  forbid("clock", process, "hrtime"),
];
const RealDate = Date;
globalThis.Date = new Proxy(RealDate, {
  construct(target, args) {
    if (args.length === 0) touched.add("clock");
    return new target(...args);
  },
});
const allowClock = () => {
  for (const allow of clocks) allow();
};

const { facts } = await import("graupel/facts");
const all = Object.values(facts);
const exported = Object.assign({}, ...(await Promise.all(all.map(({ entry }) => import(entry)))));
for (const name of entries) await import(name);
const { memory } = await import("graupel/lease");
memory();
memory({ reach: "alone" });
const { threads } = await import("graupel/lease/threads");
threads("numbers");
const { discord, mastodon, sno, twitter, ulidFlake } = exported;
const epoch = Date.UTC(2024, 0, 1);
const fields = { time: 41, region: 4, worker: 6, sequence: 12 };
const ofOnesOwn = { region: 1, worker: 1 };

/** A generator of a format, with 1 for each fixed field. */
function generatorOf({ export: name, declared, declaration, given, fields: own }) {
  const needed = declaration
    .filter(({ required }) => required)
    .map((one) => [one.name, { epoch, fields }[one.name]]);
  const format = declared ? exported[name]({ ...given, ...Object.fromEntries(needed) }) : exported[name];
  const fixed = own?.filter(({ role }) => role === "fixed").map((field) => [field.name, 1]);
  return format.generator(fixed === undefined ? ofOnesOwn : Object.fromEntries(fixed));
}
const generators = [...all.map(generatorOf), ulidFlake.withEpoch(epoch).generator()];
// Snapshots as a database returns them, with other identities than above; times; and isolated
// generators.
const at = { highest: -1, sequence: 0, left: 0, wrapped: false, firstLive: 5 };
const snoSnapshot = {
  ...{ version: 1, format: "sno", partition: 2, sequenceMin: 0, sequenceMax: 65_535 },
  ...{ sequence: 7, now: 0, wallHi: 5, wallSafe: 0, drifts: 0, at },
};
const discordSnapshot = {
  ...{ version: 1, format: "discord", epoch: discord.epoch, tickMs: 1 },
  layout: discord.layout.fields.map(({ name, bits }) => ({ name, bits })),
  ...{
    fields: { internalWorkerId: 2, internalProcessId: 2 },
    highest: 5,
    last: 5,
    sequence: 7,
    left: 4088,
    at,
  },
};
const worker = { datacenterId: 2, workerId: 2 };
generators.push(
  sno.generator({ snapshot: snoSnapshot }),
  sno.generator({ snapshot: snoSnapshot, notBefore: epoch }),
  sno.generator({ notBefore: new RealDate(epoch) }),
  sno.generator({ isolated: true }),
  sno.generator({ isolated: true, notBefore: epoch, sequenceMax: 99 }),
  discord.generator({ snapshot: discordSnapshot }),
  discord.generator({ snapshot: discordSnapshot, isolated: true }),
  twitter.generator({ ...worker, notBefore: epoch }),
  twitter.generator({ ...worker, isolated: true }),
  twitter.generator({ ...worker, notBefore: epoch, isolated: true }),
  mastodon.generator({ notBefore: epoch }),
  ulidFlake.generator({ notBefore: epoch + 1 }),
);
console.log(`made ${generators.length} generators, touched:`, [...touched].join());

/** The forbidden functions that a call uses. */
function touch(call) {
  touched.clear();
  try {
    call();
  } catch (error) {
    if (touched.size === 0) throw error;
  }
  return [...touched].join();
}
console.log(
  "first use:",
  touch(() => generators[0].next()),
);
allowModule();
console.log(
  "with the module:",
  touch(() => generators[0].next()),
);
allowClock();
console.log(
  "with the clock:",
  touch(() => ulidFlake.next()),
);
