// graupel's formats in the duel: each with its default policies, and some also with other policies.
// Like the other packages, they read the system clock.

import { facts } from "graupel/facts";

/** The epoch of the formats that need one. */
const EPOCH = Date.UTC(2024, 0, 1);

/** The default of an option that every generator has. */
const defaultOf = (name) => facts.snowflake.options.find((option) => option.name === name).default;

/** The only error codes that are allowed in a story about clocks. */
export const REFUSALS = ["CLOCK_BACKWARDS", "SEQUENCE_FULL", "CLOCK_STUCK"];

/**
 * The longest allowed call, in milliseconds: `LONGEST_STEP_MS` of js/generator/wait.ts, because a
 * clock that seems to stand still may only have coarse steps, plus 25 for the readings.
 */
export const LONGEST = Math.max(defaultOf("maxWaitMs"), 300) + 25;

/**
 * A row of the table. `without`: the stories that do not apply; `only`: the only stories that
 * apply. `unconfigured`: whether the format works without configuration. In the stories of
 * `chance`, duplicates count as chance; in those of `seldom`, only if they occur in a single round.
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
 * A format: how to import it, the fields for a worker, and a description of how users set the
 * worker ID.
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

/** sno flips its tick-tock bit when the clock goes back, so the order of its IDs starts again. */
function onOtherLines({ sno }, before, after) {
  return sno.inspect(before).tickTock !== sno.inspect(after).tickTock;
}

/** The default limit of a generator that borrows. */
const MAX_AHEAD_MS = defaultOf("maxAheadMs");

/**
 * A row whose generators borrow, and start after every ID that the previous process may have
 * issued.
 */
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
  // Generate batches, because few formats run ahead of the clock with single calls.
  const many = (module, worker) => {
    const generator = one.generator(module, worker);
    return (n) => generator.nextMany(n);
  };
  return { ...one, many, only: ["killed and restarted"] };
}

/** The stories in which only a few random bits distinguish the generators. */
const TOGETHER = ["threads and forks, unconfigured"];
const DRAWN = { unconfigured: true, chance: TOGETHER };

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
  // The generator runs ahead of the clock, so a restart needs `notBefore`, as in the rows below.
  { ...row(TWITTER, borrow, "borrow"), without: ["killed and restarted"] },
  row(DISCORD),
  row(SNOWFLAKE_SI),
  { ...row(ULID_FLAKE), ...DRAWN, without: ["four threads"] },
  { ...row(ULID_FLAKE, refuseBoth, "throw"), ...DRAWN, without: ["four threads"] },
  { ...row(SCALABLE), ...DRAWN },
  ahead({
    ...SNO,
    fields: (number) => ({ ...SNO.fields(number), sequenceMin: 0, sequenceMax: 1023 }),
    how: "partition, of which it has a 64th: sequenceMax 1023",
  }),
  ...[NANOFLAKE, TWITTER, DISCORD, SNOWFLAKE_SI, ULID_FLAKE].map(ahead),
  ahead({ ...SCALABLE, how: "scalability" }),
];
