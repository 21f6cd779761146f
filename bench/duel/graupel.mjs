// graupel's formats in the duel: with their default policies, and some with another policy. Each
// reads the system clock, as the other packages do.

import { facts } from "graupel/facts";

/** For the formats that take an epoch. */
const EPOCH = Date.UTC(2024, 0, 1);

/** The default of an option that all generators have. */
const defaultOf = (name) => facts.snowflake.options.find((option) => option.name === name).default;

/** The only errors that graupel may throw in a story about clocks. */
export const REFUSALS = ["CLOCK_BACKWARDS", "SEQUENCE_FULL", "CLOCK_STUCK"];

/**
 * The longest time of a call, in milliseconds: `LONGEST_STEP_MS` of js/generator/wait.ts, because a
 * clock that seems to stand may run in steps, plus 25 for the readings.
 */
export const LONGEST = Math.max(defaultOf("maxWaitMs"), 300) + 25;

/**
 * The row of a format in the table. `without`: stories that do not apply; `only`: the only stories
 * that apply. `unconfigured`: whether the format needs no configuration. Duplicates in the stories
 * of `chance` count as chance; in those of `seldom`, only in one round.
 */
function row({ code, format, fields, how }, policies = () => ({}), policy = "") {
  const generator = (module, worker) => {
    const it = format(module);
    return it.generator({ ...(worker !== undefined && fields(worker)), ...policies(it) });
  };
  return {
    ...{ package: "graupel", ours: true, how, generator },
    name: `graupel ${code}${policy && `, ${policy}`}`,
    make(module, worker) {
      const it = generator(module, worker);
      return () => it.next();
    },
  };
}

/**
 * A format: how to get it from the package, the fields for a worker, and how users give the worker
 * ID, in words.
 */
function taken(name) {
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

const SNO = taken("sno");
const NANOFLAKE = taken("nanoflake");
const TWITTER = taken("twitter");
const DISCORD = taken("discord");
const SNOWFLAKE_SI = taken("snowflake-si");
const ULID_FLAKE = taken("ulid-flake");
const SCALABLE = taken("ulid-flake-scalable");

const wait = () => ({ clockBackwards: "wait" });
const borrow = () => ({ sequenceFull: "borrow" });
const refuse = () => ({ clockBackwards: "throw" });
const refuseBoth = () => ({ ...refuse(), sequenceFull: "throw" });

/** sno flips its tick-tock bit when the clock goes back, and a new order starts. */
function onOtherLines({ sno }, before, after) {
  return sno.inspect(before).tickTock !== sno.inspect(after).tickTock;
}

/** The default bound for a generator that borrows. */
const MAX_AHEAD_MS = defaultOf("maxAheadMs");

/** A row that borrows, and starts after every ID that the previous process can have issued. */
function ahead(format) {
  const one = row(
    format,
    ({ layout }) => ({
      sequenceFull: "borrow",
      maxAheadMs: MAX_AHEAD_MS,
      notBefore: Date.now() + MAX_AHEAD_MS + layout.tickMs,
    }),
    "borrow + notBefore",
  );
  // Use batches: with single calls, most formats do not run ahead of the clock.
  const many = (module, worker) => {
    const generator = one.generator(module, worker);
    return (n) => generator.nextMany(n);
  };
  return { ...one, many, only: ["killed and restarted"] };
}

/** Stories in which only a few random bits tell the generators apart. */
const TOGETHER = ["threads and forks, unconfigured"];

export const graupel = [
  {
    ...row(SNO),
    how: "partition; else the automatic one",
    explains: onOtherLines,
    unconfigured: true,
    seldom: TOGETHER,
  },
  row(NANOFLAKE),
  row(NANOFLAKE, wait, "wait"),
  row(TWITTER),
  row(TWITTER, refuse, "throw"),
  // It runs ahead of the clock, so a restart needs `notBefore`; see below.
  { ...row(TWITTER, borrow, "borrow"), without: ["killed and restarted"] },
  row(DISCORD),
  row(SNOWFLAKE_SI),
  {
    ...row(ULID_FLAKE),
    without: ["four threads"],
    unconfigured: true,
    chance: TOGETHER,
  },
  {
    ...row(ULID_FLAKE, refuseBoth, "throw"),
    without: ["four threads"],
    unconfigured: true,
    chance: TOGETHER,
  },
  {
    ...row(SCALABLE),
    unconfigured: true,
    chance: TOGETHER,
  },
  ahead({
    ...SNO,
    fields: (number) => ({ ...SNO.fields(number), sequenceMin: 0, sequenceMax: 1023 }),
    how: "partition, of which it has a 64th: sequenceMax 1023",
  }),
  ...[NANOFLAKE, TWITTER, DISCORD, SNOWFLAKE_SI, ULID_FLAKE].map(ahead),
  ahead({ ...SCALABLE, how: "scalability" }),
];
