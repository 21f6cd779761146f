// graupel's formats in the duel: with their default policies, and some with another policy. Each reads the system clock,
// as the other packages do.

import { facts } from "graupel/facts";

/** For the formats that take an epoch. */
const EPOCH = Date.UTC(2024, 0, 1);

/** The default of an option that all generators have. */
const defaultOf = (name) => facts.snowflake.options.find((option) => option.name === name).default;

const GRAUPEL = { package: "graupel", specifier: "graupel", ours: true };

/** The only errors that graupel may throw in a story about clocks. */
export const REFUSALS = ["CLOCK_BACKWARDS", "SEQUENCE_FULL", "CLOCK_STUCK"];

/**
 * Longest time of a call, in milliseconds: the default `maxWaitMs`; 100 more, because a clock that stands may only be running in steps
 * (`LONGEST_STEP_MS` in js/generator/wait.ts); and 25 for the readings.
 */
export const LONGEST = defaultOf("maxWaitMs") + 100 + 25;

/**
 * One row of the table, of a subject. `without` names the
 * stories that do not apply, `only` the only ones that do. `unconfigured` makes IDs without any configuration, if the
 * format demands none. Duplicates of the stories in `chance` are left to chance; of those in `seldom`, in one round.
 */
function row({ code, format, fields, how }, policies = () => ({}), policy = "") {
  return {
    ...GRAUPEL,
    name: `graupel ${code}${policy && `, ${policy}`}`,
    how,
    make(module, worker) {
      const it = format(module);
      const generator = it.generator({ ...fields(worker), ...policies(it) });
      return () => generator.next();
    },
  };
}

/** A format: how to take it from the package, the numbers for a worker, and in words how the worker's number is given. */
function subject(name) {
  const { export: code, declared, fields, options } = facts[name];
  const fixed = fields.filter(({ role }) => role === "fixed").map((field) => field.name);
  const worker = fixed.find((field) => /worker/i.test(field)) ?? fixed.at(-1);
  const others = fixed.filter((field) => field !== worker);
  const zeros = Object.fromEntries(others.map((field) => [field, 0]));
  const drawn = fields.find(({ role }) => role === "random");
  const bits = drawn && `${drawn.bits} random bits`;
  const absent = options.find((option) => option.name === worker)?.default ?? undefined;
  return {
    code,
    format: (module) => (declared ? module[code]({ epoch: EPOCH }) : module[code]),
    fields: (number) => (worker === undefined ? {} : { ...zeros, [worker]: number }),
    how:
      worker === undefined
        ? `none: ${bits}`
        : [
            worker,
            ...(absent === undefined ? [] : [`; else ${absent}`]),
            ...(bits ? [`, and ${bits}`] : []),
          ].join("") + others.map((field) => `, with ${field} 0`).join(""),
  };
}

const SNO = subject("sno");
const NANOFLAKE = subject("nanoflake");
const TWITTER = subject("twitter");
const DISCORD = subject("discord");
const SNOWFLAKE_SI = subject("snowflake-si");
const ULID_FLAKE = subject("ulid-flake");
const SCALABLE = subject("ulid-flake-scalable");

const wait = () => ({ clockBackwards: "wait" });
const borrow = () => ({ sequenceFull: "borrow" });
const refuse = () => ({ clockBackwards: "throw" });
const refuseBoth = () => ({ ...refuse(), sequenceFull: "throw" });

/** sno flips its tick-tock bit when the clock goes back: a new order starts there. */
function onOtherLines({ sno }, before, after) {
  return sno.inspect(before).tickTock !== sno.inspect(after).tickTock;
}

/** The default bound for a generator that borrows. */
const MAX_AHEAD_MS = defaultOf("maxAheadMs");

/** A row that borrows, and starts after everything that the life before can have issued. */
function ahead({ how, ...subject }) {
  const { format, fields } = subject;
  const aheadOfAll = ({ layout }) => ({
    sequenceFull: "borrow",
    maxAheadMs: MAX_AHEAD_MS,
    notBefore: Date.now() + MAX_AHEAD_MS + layout.tickMs,
  });
  return {
    ...row(subject, aheadOfAll, "borrow + notBefore"),
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

/** Stories in which only a few random bits tell the generators apart. */
const TOGETHER = ["threads and forks, unconfigured"];

export const graupel = [
  {
    ...row(SNO),
    how: "partition; else the automatic one",
    explains: onOtherLines,
    unconfigured: (module) => () => module.sno.next(),
    seldom: TOGETHER,
  },
  row(NANOFLAKE),
  row(NANOFLAKE, wait, "wait"),
  row(TWITTER),
  row(TWITTER, refuse, "throw"),
  // Runs ahead of the clock, so a restart needs `notBefore`: below.
  { ...row(TWITTER, borrow, "borrow"), without: ["killed and restarted"] },
  row(DISCORD),
  row(SNOWFLAKE_SI),
  {
    ...row(ULID_FLAKE),
    without: ["four threads"],
    unconfigured: (module) => () => module.ulidFlake.next(),
    chance: TOGETHER,
  },
  {
    ...row(ULID_FLAKE, refuseBoth, "throw"),
    without: ["four threads"],
    unconfigured(module) {
      const generator = ULID_FLAKE.format(module).generator(refuseBoth());
      return () => generator.next();
    },
    chance: TOGETHER,
  },
  {
    ...row(SCALABLE),
    unconfigured: (module) => () => module.ulidFlakeScalable.next(),
    chance: TOGETHER,
  },
  ahead({
    ...SNO,
    fields: (number) => ({ ...SNO.fields(number), sequenceMin: 0, sequenceMax: 1023 }),
    how: "partition, of which it has a 64th: sequenceMax 1023",
  }),
  ahead(NANOFLAKE),
  ahead(TWITTER),
  ahead(DISCORD),
  ahead(SNOWFLAKE_SI),
  ahead(ULID_FLAKE),
  ahead({ ...SCALABLE, how: "scalability" }),
];
