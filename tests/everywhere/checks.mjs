// What is checked in every host. A plain ES module that needs nothing but the language and a clock, so that each host and
// each bundler can load it as it is: no Node modules, no TypeScript, no console. lib/project.mjs writes the subjects and loaded.mjs,
// which has the entries beside the formats, next to it.

import { checkEntries, refused, same, tally } from "./entries.mjs";
import loaded from "./loaded.mjs";
import subjects from "./subjects.mjs";

const HOW_MANY = 10_000;

/** Every format: how to make it, and fixed fields of a generator. */
export const FORMATS = Object.fromEntries(
  Object.entries(subjects).map(([name, { code, declaration, fixed, random }]) => {
    const make = (graupel, options) =>
      declaration === undefined ? graupel[code] : graupel[code]({ ...declaration, ...options });
    return [name, { make, fixed, random }];
  }),
);

/** A time at which every format has begun, and none has ended. */
const NOON = Date.UTC(2025, 0, 1, 12);

function assert(truth, message) {
  if (!truth) throw new Error(message);
}

/** Unique and in order, which is one condition. */
export function ascending(ids, what) {
  for (let i = 1; i < ids.length; i++) {
    assert(ids[i - 1] < ids[i], `${what}: ${ids[i]} follows ${ids[i - 1]}, at ${i}`);
  }
}

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (digits) => Number.parseInt(digits, 16));

/** Without its texts and its Date: what `compose` takes. */
function fieldsOf({ timestamp, time, ...fields }) {
  return fields;
}

/**
 * The core that runs, found out by the first operation: the package instantiates nothing before it. An instance of
 * WebAssembly is counted as it is made, whatever the package calls its own parts.
 */
export function coreOf(graupel) {
  const { WebAssembly } = globalThis;
  if (typeof WebAssembly !== "object") {
    graupel.discord.parse("175928847299117063");
    return "JavaScript";
  }
  const { Instance } = WebAssembly;
  let instances = 0;
  WebAssembly.Instance = new Proxy(Instance, {
    construct(target, args) {
      instances++;
      return new target(...args);
    },
  });
  try {
    graupel.discord.parse("175928847299117063");
  } finally {
    WebAssembly.Instance = Instance;
  }
  return instances > 0 ? "WebAssembly" : "JavaScript";
}

/** The checks of one format, by name. */
function checksOf(graupel, name, { make, fixed, random }, vectors) {
  const format = make(graupel);
  const own = { ...fixed, isolated: true, sequenceFull: "borrow" };
  const generator = (options) => format.generator({ ...own, ...options });
  /** A generator whose clock shows what `clock.now` says. */
  const scripted = (options) => {
    const clock = { now: NOON };
    return { clock, ids: generator({ clock: () => clock.now, ...options }) };
  };
  return {
    "10,000 IDs": () => {
      const ids = generator();
      const made = Array.from({ length: HOW_MANY }, () => ids.next());
      ascending(made, "next");
      same(new Set(made).size, HOW_MANY, "how many differ");
      const { timestamp } = format.inspect(made[0]);
      const late = Date.now() - timestamp;
      assert(Math.abs(late) < 60_000, `the first ID is ${late} ms from the clock`);
    },
    "by default": () => {
      // Shares its state with whatever else this host has made.
      const ids = format.generator(fixed);
      ascending([ids.next(), ids.next(), ids.next()], "next");
    },
    batches: () => {
      const ids = generator();
      ascending([...ids.nextMany(2000), ids.next()], "nextMany");
      assert(Array.isArray(ids.nextMany(2)), "nextMany: a plain array");
      if (ids.nextTyped) ascending([...ids.nextTyped(2000), ids.next()], "nextTyped");
      const [first, second] = ids.nextManyText(2);
      ascending([format.parse(first), format.parse(second), format.parse(ids.nextText())], "nextManyText");
    },
    "inspect and compose": () => {
      for (const id of generator().nextMany(200)) {
        const inspection = format.inspect(id);
        same(format.compose(fieldsOf(inspection)), id, "compose(inspect(id))");
        same(inspection.time.getTime(), inspection.timestamp, "time");
        for (const [field, value] of Object.entries(fixed)) same(inspection[field], value, field);
        same(format.parse(format.format(id)), id, "parse(format(id))");
      }
    },
    bytes: () => {
      for (const id of generator().nextMany(200)) {
        same(format.fromBytes(format.toBytes(id)), id, "fromBytes(toBytes(id))");
        same(format.fromBigInt(format.toBigInt(id)), id, "fromBigInt(toBigInt(id))");
        same(BigInt(`0x${hexOf(format.toBytes(id))}`), format.toBigInt(id), "toBytes(id)");
      }
    },
    vectors: () => {
      const mine = vectors[name];
      assert(mine.length > 0, "no vectors");
      for (const vector of mine) codec(make(graupel, vector.options), vector);
    },
    "typed errors": () => {
      refused(graupel, "TYPE", () => format.parse(null), "parse(null)");
      refused(graupel, "LENGTH", () => format.parse("2".repeat(99)), "parse of a long text");
      const text = format.format(generator().next());
      refused(
        graupel,
        "CHARACTER",
        () => format.parse(`${text.slice(0, -1)}!`),
        "parse of a wrong character",
      );
      refused(graupel, "UNKNOWN_OPTION", () => generator({ no: 1 }), "an unknown option");
      same(format.isValid(`${text.slice(0, -1)}!`), false, "isValid");
    },
    range: () => {
      const { clock, ids } = scripted();
      const { tickMs } = format.layout;
      const before = ids.next();
      clock.now += 10 * tickMs;
      const [first, second] = [ids.next(), ids.next()];
      clock.now += 10 * tickMs;
      const after = ids.next();
      const { min, max } = format.range(NOON + 10 * tickMs, NOON + 20 * tickMs);
      assert(before < min && min <= first && second <= max && max < after, `range: ${min} to ${max}`);
      refused(graupel, "CONFLICT", () => format.range(NOON, NOON), "an empty range");
    },
    snapshot: () => {
      const { clock, ids } = scripted();
      const last = ids.next();
      const snapshot = JSON.parse(JSON.stringify(ids.snapshot()));
      const next = generator({ snapshot, clock: () => clock.now }).next();
      assert(last < next, `snapshot: ${next} follows ${last}`);
      refused(graupel, "SNAPSHOT", () => generator({ snapshot: { version: 99 } }), "a foreign snapshot");
    },
    "the clock goes back": () => {
      const held = scripted({ clockBackwards: "hold" });
      const first = held.ids.next();
      held.clock.now -= 1000;
      const second = held.ids.next();
      ascending([first, second], "hold");
      assert(format.inspect(second).timestamp >= format.inspect(first).timestamp, "hold: an earlier time");

      const strict = scripted({ clockBackwards: "throw" });
      const before = strict.ids.next();
      strict.clock.now -= 1000;
      refused(graupel, "CLOCK_BACKWARDS", () => strict.ids.next(), "throw");
      strict.clock.now += 1500;
      ascending([before, strict.ids.next()], "throw, and on");
    },
    "a full tick": () => {
      const clock = () => NOON;
      const ids = generator({ clock, sequenceFull: "throw" });
      // A batch waits, whatever the policy: one by one.
      const most = format.capacity + 1;
      const issued = [];
      refused(
        graupel,
        "SEQUENCE_FULL",
        () => {
          for (let i = 0; i < most; i++) issued.push(ids.next());
        },
        "throw",
      );
      ascending(issued, "a full tick");
      if (!random && name !== "mastodon") {
        same(issued.length, format.capacity, "IDs of one tick");
      }
    },
    "methods without their object": async () => {
      const { next, nextText, nextMany, nextManyText, nextAsync, at, stats, snapshot } = generator();
      const { parse, isValid, format: write, inspect, compose, with: change, range, compare } = format;
      const { toBytes, fromBytes, toBigInt, fromBigInt, generator: make } = format;
      const ids = [
        next(),
        parse(nextText()),
        ...nextMany(2),
        ...nextManyText(1).map((text) => parse(text)),
        await nextAsync(),
      ];
      ascending(ids, "next");
      for (const id of [...ids, at(NOON), make(own).next()]) {
        same(isValid(write(id)), true, "isValid");
        same(change(compose(fieldsOf(inspect(id))), {}), id, "with");
        same(fromBigInt(toBigInt(fromBytes(toBytes(id)))), id, "fromBytes, fromBigInt");
      }
      const { min, max } = range();
      same(compare(min, max), -1, "compare");
      same(stats().issued, ids.length + 1, "stats");
      same(snapshot().version, 1, "snapshot");
    },
    nextAsync: async () => {
      const ids = generator();
      const made = await Promise.all(Array.from({ length: 20 }, () => ids.nextAsync()));
      ascending(made, "nextAsync");
    },
  };
}

/** A vector: text, bytes, integer and fields of one ID, as the format's own program has them. */
function codec(format, { text, hex, timestamp, ticks, fields }) {
  const id = format.parse(text);
  same(format.format(id), text, "format");
  same(hexOf(format.toBytes(id)), hex, `toBytes of ${text}`);
  same(format.fromBytes(bytesOf(hex)), id, `fromBytes of ${hex}`);
  same(format.toBigInt(id), BigInt(`0x${hex}`), `toBigInt of ${text}`);
  const inspection = format.inspect(id);
  same(inspection.timestamp, timestamp, `timestamp of ${text}`);
  same(inspection.ticks, ticks, `ticks of ${text}`);
  for (const [field, value] of Object.entries(fields)) same(inspection[field], value, `${field} of ${text}`);
  same(format.compose({ ticks, ...fields }), id, `compose to ${text}`);
}

/** Checks of single formats, or of none. */
function checksBeside(graupel) {
  return {
    "sno: tick-tock": () => {
      let now = NOON;
      const ids = graupel.sno.generator({ partition: 7, isolated: true, clock: () => now });
      const first = ids.next();
      now -= 1000;
      const second = ids.next();
      const toggled = graupel.sno.inspect(first).tickTock !== graupel.sno.inspect(second).tickTock;
      assert(first !== second && toggled, "the tick-tock bit did not change");
    },
    "sno and ulidFlake, without a generator": () => {
      ascending([graupel.sno.next(), graupel.sno.next()], "sno.next");
      assert(graupel.ulidFlake.isValid(graupel.ulidFlake.next()), "ulidFlake.next");
    },
    "discord: the clock goes back, and waits": () => {
      let now = NOON;
      const options = { internalWorkerId: 3, internalProcessId: 9, isolated: true, clockBackwards: "wait" };
      const ids = graupel.discord.generator({ ...options, clock: () => now++ });
      const first = ids.next();
      now -= 20;
      ascending([first, ids.next()], "wait");
    },
    identify: () => {
      const names = graupel.identify("175928847299117063").map(({ name }) => name);
      assert(names.includes("discord"), `candidates: ${names}`);
    },
    "Standard Schema": () => {
      const { validate } = graupel.discord["~standard"];
      same(validate("175928847299117063").value, BigInt("175928847299117063"), "validate");
      same(validate("x").issues.length, 1, "issues");
    },
  };
}

/** Texts that hold every character of the alphabets, in order. */
const ALPHABETS = [
  {
    name: "sno",
    digits: "23456789abcdefghijklmnopqrstuvwx",
    texts: ["23456789abcdefgh", "ijklmnopqrstuvwx"],
  },
  {
    name: "ulidFlake",
    digits: "0123456789ABCDEFGHJKMNPQRSTVWXYZ",
    texts: ["0123456789ABC", "0DEFGHJKMNPQR", "000000STVWXYZ"],
  },
  {
    name: "nanoflake",
    digits: "0123456789abcdefghijklmnopqrstuvwxyz",
    texts: ["1023456789ab", "cdefghijklmn", "opqrstuvwxyz"],
  },
];

/** For rows that are about something else: each character has its value. Returns what `check` resolves to. */
export function checkAlphabets(graupel, core) {
  const result = { core, passed: 0, failed: [] };
  for (const { name, digits, texts } of ALPHABETS) {
    tally(result, `${name}: alphabet`, () => {
      const format = FORMATS[name].make(graupel);
      for (const text of texts) {
        let value = BigInt(0);
        for (const digit of text) value = value * BigInt(digits.length) + BigInt(digits.indexOf(digit));
        same(format.toBigInt(format.parse(text)), value, text);
        same(format.format(format.fromBigInt(value)), text, text);
      }
    });
  }
  return result;
}

/**
 * Runs every check. `graupel`: the namespace of the entry `graupel` or `graupel/pure`. `vectors`: what vectors.mjs chose. `entries`: as
 * `checkEntries` takes them. Resolves to the core that runs, how many checks passed, the names and messages of those that failed, and a
 * remark if this host lacks entries.
 */
export async function check(graupel, expectedCore, vectors, entries = loaded) {
  const result = { core: "none", passed: 0, failed: [] };
  const one = (name, work) => tally(result, name, work);
  one("core", () => {
    result.core = coreOf(graupel);
    same(result.core, expectedCore, "core");
  });
  for (const [name, subject] of Object.entries(FORMATS)) {
    let checks = {};
    one(`${name}: make`, () => {
      checks = checksOf(graupel, name, subject, vectors);
    });
    for (const [what, work] of Object.entries(checks)) await one(`${name}: ${what}`, work);
  }
  for (const [what, work] of Object.entries(checksBeside(graupel))) await one(what, work);
  return checkEntries(graupel, entries, result);
}
