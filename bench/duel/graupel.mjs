// graupel's formats in the duel: with their default policies, and some with another policy. Each reads the system clock,
// as the other packages do.

/** For the formats that take an epoch. */
const EPOCH = Date.UTC(2024, 0, 1);

const GRAUPEL = { package: "graupel", specifier: "graupel", ours: true };

/** The only errors that graupel may throw in a story about clocks. */
export const REFUSALS = ["CLOCK_BACKWARDS", "SEQUENCE_FULL", "CLOCK_STUCK"];

/**
 * Longest time of a call, in milliseconds: the default `maxWaitMs`; 100 more, because a clock that stands may only be running in steps
 * (`LONGEST_STEP_MS` in js/generator/wait.ts); and 25 for the readings.
 */
export const LONGEST = 100 + 100 + 25;

/**
 * One row of the table. `format` picks the format from the package, `fields` gives the worker ID. `without` names the
 * stories that do not apply, `only` the only ones that do. `unconfigured` makes IDs without any configuration, if the
 * format demands none. Duplicates of the stories in `chance` are left to chance; of those in `seldom`, in one round.
 */
function row(name, format, fields, policies = () => ({})) {
  return {
    ...GRAUPEL,
    name: `graupel ${name}`,
    make(module, worker) {
      const it = format(module);
      const generator = it.generator({ ...fields(worker), ...policies(it) });
      return () => generator.next();
    },
  };
}

const partition = (worker) => ({ partition: worker });
const shareOfPartition = (worker) => ({ partition: worker, sequenceMin: 0, sequenceMax: 1023 });
const generatorId = (worker) => ({ generatorId: worker });
const workerId = (worker) => ({ datacenterId: 0, workerId: worker });
const internalWorkerId = (worker) => ({ internalWorkerId: worker, internalProcessId: 0 });
const machineId = (worker) => ({ machineId: worker });
const scalability = (worker) => ({ scalability: worker });
const none = () => ({});

const wait = () => ({ clockBackwards: "wait" });
const borrow = () => ({ sequenceFull: "borrow" });
const refuse = () => ({ clockBackwards: "throw" });
const refuseBoth = () => ({ ...refuse(), sequenceFull: "throw" });

const sno = row("sno", ({ sno }) => sno, partition);

/** sno flips its tick-tock bit when the clock goes back: a new order starts there. */
function onOtherLines({ sno }, before, after) {
  return sno.inspect(before).tickTock !== sno.inspect(after).tickTock;
}

/** The default bound for a generator that borrows. */
const MAX_AHEAD_MS = 10_000;

/** A row that borrows, and starts after everything that the life before can have issued. */
function ahead(name, format, fields, how) {
  const aheadOfAll = ({ layout }) => ({
    sequenceFull: "borrow",
    maxAheadMs: MAX_AHEAD_MS,
    notBefore: Date.now() + MAX_AHEAD_MS + layout.tickMs,
  });
  return {
    ...row(`${name}, borrow + notBefore`, format, fields, aheadOfAll),
    // In batches: one by one, most formats do not get ahead of the clock.
    many(module, worker) {
      const it = format(module);
      const generator = it.generator({ ...fields(worker), ...aheadOfAll(it) });
      return (n) => generator.nextMany(n);
    },
    how,
    only: ["killed and restarted"],
    missing(module) {
      try {
        format(module).generator({ ...fields(1), notBefore: 0 });
      } catch (error) {
        if (error.code === "UNKNOWN_OPTION") return "this build of graupel has no option notBefore";
      }
      return undefined;
    },
  };
}

const nanoflake = ({ nanoflake }) => nanoflake({ epoch: EPOCH });
const twitter = ({ twitter }) => twitter;
const discord = ({ discord }) => discord;
const snowflakeSI = ({ snowflakeSI }) => snowflakeSI({ epoch: EPOCH });
const ulidFlake = ({ ulidFlake }) => ulidFlake;
const scalable = ({ ulidFlakeScalable }) => ulidFlakeScalable;

/** How the worker ID is given. */
const HOW = {
  twitter: "workerId, with datacenterId 0",
  discord: "internalWorkerId, with internalProcessId 0",
  ulidFlake: "none: 20 random bits",
};
/** Stories in which only a few random bits tell the generators apart. */
const TOGETHER = ["threads and forks, unconfigured"];

export const graupel = [
  {
    ...sno,
    how: "partition; else the automatic one",
    explains: onOtherLines,
    unconfigured: (module) => () => module.sno.next(),
    seldom: TOGETHER,
  },
  { ...row("nanoflake", nanoflake, generatorId), how: "generatorId" },
  { ...row("nanoflake, wait", nanoflake, generatorId, wait), how: "generatorId" },
  { ...row("twitter", twitter, workerId), how: HOW.twitter },
  { ...row("twitter, throw", twitter, workerId, refuse), how: HOW.twitter },
  // Runs ahead of the clock, so a restart needs `notBefore`: below.
  {
    ...row("twitter, borrow", twitter, workerId, borrow),
    how: HOW.twitter,
    without: ["killed and restarted"],
  },
  { ...row("discord", discord, internalWorkerId), how: HOW.discord },
  { ...row("snowflakeSI", snowflakeSI, machineId), how: "machineId" },
  {
    ...row("ulidFlake", ulidFlake, none),
    how: HOW.ulidFlake,
    without: ["four threads"],
    unconfigured: (module) => () => module.ulidFlake.next(),
    chance: TOGETHER,
  },
  {
    ...row("ulidFlake, throw", ulidFlake, none, refuseBoth),
    how: HOW.ulidFlake,
    without: ["four threads"],
    unconfigured(module) {
      const generator = ulidFlake(module).generator(refuseBoth());
      return () => generator.next();
    },
    chance: TOGETHER,
  },
  {
    ...row("ulidFlakeScalable", scalable, scalability),
    how: "scalability; else 0, and 15 random bits",
    unconfigured: (module) => () => module.ulidFlakeScalable.next(),
    chance: TOGETHER,
  },
  ahead("sno", ({ sno }) => sno, shareOfPartition, "partition, of which it has a 64th: sequenceMax 1023"),
  ahead("nanoflake", nanoflake, generatorId, "generatorId"),
  ahead("twitter", twitter, workerId, HOW.twitter),
  ahead("discord", discord, internalWorkerId, HOW.discord),
  ahead("snowflakeSI", snowflakeSI, machineId, "machineId"),
  ahead("ulidFlake", ulidFlake, none, HOW.ulidFlake),
  ahead("ulidFlakeScalable", scalable, scalability, "scalability"),
];
