// graupel's formats in the duel, as they are by default, and some with another policy. Each reads the system clock
// as the others do.

/** An epoch for the formats that have none of their own. */
const EPOCH = Date.UTC(2024, 0, 1);

const GRAUPEL = { package: "graupel", specifier: "graupel", ours: true };

/** Reasons for which graupel may throw in a story about clocks; anything else is a fault. */
export const REFUSALS = ["CLOCK_BACKWARDS", "SEQUENCE_FULL", "CLOCK_STUCK"];

/** How long one call may take, in milliseconds: twice the `maxWaitMs` that every generator has by default. */
export const LONGEST = 200;

/**
 * One row: `format` picks the format from the package, `fields` gives the worker number. `without` names the stories
 * that do not apply: different worker numbers, where there are none.
 */
function row(name, format, fields, policies = {}) {
  return {
    ...GRAUPEL,
    name: `graupel ${name}`,
    make(module, worker) {
      const generator = format(module).generator({ ...fields(worker), ...policies });
      return () => generator.next();
    },
  };
}

const partition = (worker) => ({ partition: worker });
const generatorId = (worker) => ({ generatorId: worker });
const workerId = (worker) => ({ datacenterId: 0, workerId: worker });
const internalWorkerId = (worker) => ({ internalWorkerId: worker, internalProcessId: 0 });
const machineId = (worker) => ({ machineId: worker });
const scalability = (worker) => ({ scalability: worker });
const none = () => ({});

const hold = { clockBackwards: "hold" };
const wait = { clockBackwards: "wait" };

const sno = row("sno", ({ sno }) => sno, partition);

/** sno flips its tick-tock bit when the clock goes back: the order ends there, and begins anew. */
function onOtherLines({ sno }, before, after) {
  return sno.inspect(before).tickTock !== sno.inspect(after).tickTock;
}

const nanoflake = ({ nanoflake }) => nanoflake({ epoch: EPOCH });
const twitter = ({ twitter }) => twitter;
const ulidFlake = ({ ulidFlake }) => ulidFlake;
const scalable = ({ ulidFlakeScalable }) => ulidFlakeScalable;

export const graupel = [
  { ...sno, how: "partition", explains: onOtherLines },
  { ...row("nanoflake", nanoflake, generatorId), how: "generatorId" },
  { ...row("nanoflake, wait", nanoflake, generatorId, wait), how: "generatorId" },
  { ...row("twitter", twitter, workerId), how: "workerId, with datacenterId 0" },
  { ...row("twitter, hold", twitter, workerId, hold), how: "workerId, with datacenterId 0" },
  {
    ...row("discord", ({ discord }) => discord, internalWorkerId),
    how: "internalWorkerId, with internalProcessId 0",
  },
  {
    ...row("snowflakeSI", ({ snowflakeSI }) => snowflakeSI({ epoch: EPOCH }), machineId),
    how: "machineId",
  },
  { ...row("ulidFlake", ulidFlake, none), how: "none: 20 random bits", without: ["four threads"] },
  {
    ...row("ulidFlakeScalable, hold + wait", scalable, scalability, { ...hold, sequenceFull: "wait" }),
    how: "scalability",
  },
];
