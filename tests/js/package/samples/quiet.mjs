// Loads every entry, and makes every format and generator, while WebAssembly, the clock and randomness throw. Then uses some, and
// checks that each of the three is needed. Prints what was touched.

const touched = new Set();

/** Replaces functions of an object by ones that record the call and throw. Returns a function that restores them. */
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

const { sno } = await import("graupel/sno");
const { nanoflake } = await import("graupel/nanoflake");
const { twitter, discord, instagram, mastodon, snowflake } = await import("graupel/snowflake");
const { snowflakeSI } = await import("graupel/snowflake-si");
const { ulidFlake, ulidFlakeScalable } = await import("graupel/ulid-flake");
await import("graupel");
const epoch = Date.UTC(2024, 0, 1);
const fields = { time: 41, region: 4, worker: 6, sequence: 12 };
const generators = [
  sno.generator({ partition: 1 }),
  nanoflake({ epoch }).generator({ generatorId: 1 }),
  nanoflake({ epoch, layout: "reference-24" }).generator({ generatorId: 1 }),
  twitter.generator({ datacenterId: 1, workerId: 1 }),
  discord.generator({ internalWorkerId: 1, internalProcessId: 1 }),
  instagram.generator({ shardId: 1 }),
  mastodon.generator(),
  snowflake({ epoch, fields }).generator({ region: 1, worker: 1 }),
  snowflakeSI({ epoch }).generator({ machineId: 1 }),
  ulidFlake.generator(),
  ulidFlake.withEpoch(epoch).generator(),
  ulidFlakeScalable.generator({ scalability: 1 }),
];
// Snapshots as a database returns them, of other identities than those above; times; and isolated generators.
const at = { highest: -1, sequence: 0, left: 0, wrapped: false, firstLive: 5 };
const snoSnapshot = {
  ...{ version: 1, format: "sno", partition: 2, sequenceMin: 0, sequenceMax: 65_535 },
  ...{ sequence: 7, now: 0, wallHi: 5, wallSafe: 0, drifts: 0, at },
};
const discordSnapshot = {
  ...{ version: 1, format: "discord", epoch: discord.epoch, layout: discord.layout.fields, tickMs: 1 },
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
