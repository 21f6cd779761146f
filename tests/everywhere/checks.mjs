// The checks that run in every host. This is a plain ES module that needs only the language and a
// clock, so that every host and every bundler can load it unchanged: no Node modules, no
// TypeScript, no console. `npm test` checks the behaviour that does not depend on the host, such as
// the meaning of every option. lib/project.mjs writes two files next to this one: the data, and
// loaded.mjs with the further entries.

import { ENTRIES, refused, same, tally } from "./entries.mjs";
import { checkLeases } from "./leases.mjs";
import loaded from "./loaded.mjs";
import subjects from "./subjects.mjs";
import vectors from "./vectors.mjs";

/** Every format: how to create it, and fixed fields for a generator. */
export const FORMATS = Object.fromEntries(
  Object.entries(subjects).map(([name, { code, declaration, fixed }]) => {
    const make = (graupel, options) =>
      declaration === undefined ? graupel[code] : graupel[code]({ ...declaration, ...options });
    return [name, { make, fixed }];
  }),
);

/** A time within the range of every format. */
const NOON = Date.UTC(2025, 0, 1, 12);

function assert(truth, message) {
  if (!truth) throw new Error(message);
}

/** Checks that IDs strictly ascend, so they are also unique. */
function ascending(ids, what) {
  for (let i = 1; i < ids.length; i++) {
    assert(ids[i - 1] < ids[i], `${what}: ${ids[i]} follows ${ids[i - 1]}, at ${i}`);
  }
}

const hexOf = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
const bytesOf = (hex) => Uint8Array.from(hex.match(/../g), (digits) => Number.parseInt(digits, 16));

/**
 * Finds the running core by generating an ID, because the package instantiates no core before the
 * first ID. Counts the WebAssembly instances, so it does not depend on the package's internal
 * names.
 */
export function coreOf(graupel) {
  const { WebAssembly } = globalThis;
  // Parsing needs no core.
  const use = () =>
    graupel.discord.generator({ internalWorkerId: 1, internalProcessId: 1, isolated: true }).next();
  if (typeof WebAssembly !== "object") {
    use();
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
    use();
  } finally {
    WebAssembly.Instance = Instance;
  }
  return instances > 0 ? "WebAssembly" : "JavaScript";
}

/** The checks of one format, by name. */
function checksOf(graupel, name, { make, fixed }) {
  const format = make(graupel);
  const own = { ...fixed, isolated: true, sequenceFull: "borrow" };
  const generator = (options) => format.generator({ ...own, ...options });
  return {
    vectors: () => {
      const mine = vectors[name];
      assert(mine.length > 0, "no vectors");
      for (const vector of mine) codec(make(graupel, vector.options), vector);
    },
    "10,000 IDs": () => {
      const ids = generator();
      const before = Date.now();
      const made = Array.from({ length: 10_000 }, () => ids.next());
      const { timestamp } = format.inspect(made[0]);
      ascending(made, "next");
      // The tick may have begun earlier.
      assert(timestamp > before - 20 && timestamp <= Date.now(), `${timestamp} of the clock's ${before}`);
      for (const [field, value] of Object.entries(fixed)) same(format.inspect(made[0])[field], value, field);
    },
    "batches, and the state that generators share": () => {
      const [one, other] = [format.generator(fixed), format.generator(fixed)];
      ascending(
        [one.next(), other.next(), ...one.nextMany(9), ...(other.nextTyped?.(9) ?? []), one.next()],
        "next",
      );
    },
    "typed errors": () => {
      refused(graupel, "TYPE", () => format.parse(null));
      refused(graupel, "LENGTH", () => format.parse("2".repeat(99)));
      refused(graupel, "CHARACTER", () => format.parse(`${vectors[name][0].text.slice(0, -1)}!`));
      refused(graupel, "UNKNOWN_OPTION", () => generator({ no: 1 }));
      refused(graupel, "CONFLICT", () => format.range(NOON, NOON));
      refused(graupel, "SNAPSHOT", () => generator({ snapshot: { version: 99 } }));
    },
    "a clock that goes back, a restart, and a range": () => {
      let now = NOON;
      const clock = () => now;
      const ids = generator({ clock, clockBackwards: "hold" });
      const issued = [ids.next()];
      now -= 1000;
      issued.push(ids.next());
      const snapshot = JSON.parse(JSON.stringify(ids.snapshot()));
      const again = generator({ snapshot, clock, clockBackwards: "throw" });
      refused(graupel, "CLOCK_BACKWARDS", () => again.next());
      now += 1500;
      issued.push(again.next());
      ascending(issued, "hold, restart, throw, and on");
      const { min, max } = format.range(now, now + 10 * format.layout.tickMs);
      assert(issued[1] < min && min <= issued[2] && issued[2] <= max, `range: ${min} to ${max}`);
    },
    "nextAsync, and methods without their object": async () => {
      const { next, nextAsync } = generator();
      ascending([...(await Promise.all(Array.from({ length: 20 }, () => nextAsync()))), next()], "nextAsync");
    },
  };
}

/**
 * Checks a vector: the text, bytes, integer and time of one ID, as the format's own program gives
 * them. Its fields make the same ID again.
 */
function codec(format, { text, hex, timestamp, ticks }) {
  const id = format.parse(text);
  same(format.format(id), text, "format");
  same(hexOf(format.toBytes(id)), hex, `toBytes of ${text}`);
  same(format.fromBytes(bytesOf(hex)), id, `fromBytes of ${hex}`);
  same(format.toBigInt(id), BigInt(`0x${hex}`), `toBigInt of ${text}`);
  same(format.fromBigInt(BigInt(`0x${hex}`)), id, `fromBigInt of ${hex}`);
  const { time, timestamp: readTimestamp, ...fields } = format.inspect(id);
  same(readTimestamp, timestamp, `timestamp of ${text}`);
  same(time.getTime(), timestamp, `time of ${text}`);
  same(fields.ticks, ticks, `ticks of ${text}`);
  same(format.compose(fields), id, `compose to ${text}`);
}

/** The checks of specific formats, and those that use no format. */
const checksBeside = ({ sno, ulidFlake, discord, identify }) => ({
  "sno and ulidFlake, without a generator": () => {
    ascending([sno.next(), sno.next()], "sno.next");
    assert(ulidFlake.isValid(ulidFlake.next()), "ulidFlake.next");
  },
  "discord: the clock goes back, and waits": () => {
    let now = NOON;
    const options = { internalWorkerId: 3, internalProcessId: 9, isolated: true, clockBackwards: "wait" };
    const ids = discord.generator({ ...options, clock: () => now++ });
    const first = ids.next();
    now -= 20;
    ascending([first, ids.next()], "wait");
  },
  "identify, and Standard Schema": () => {
    const names = identify("175928847299117063").map(({ name }) => name);
    assert(names.includes("discord"), `candidates: ${names}`);
    same(discord["~standard"].validate("175928847299117063").value, BigInt("175928847299117063"), "validate");
  },
});

/** Checks the entries in loaded.mjs with a copy of the package. */
function checkEntries(graupel, result) {
  for (const [name, entry] of Object.entries(loaded.entries))
    tally(result, `graupel/${name}`, () => ENTRIES[name].check(entry, graupel));
}

/**
 * Runs every check. `graupel`: the namespace of the entry `graupel` or `graupel/pure`. Resolves to
 * the running core, the number of checks that passed, the names and messages of those that failed,
 * and a remark if entries are missing in this host.
 */
export async function check(graupel, expectedCore) {
  const result = { core: "none", passed: 0, failed: [] };
  const one = (name, work) => tally(result, name, work);
  one("core", () => {
    result.core = coreOf(graupel);
    same(result.core, expectedCore, "core");
  });
  for (const [name, subject] of Object.entries(FORMATS)) {
    let checks = {};
    one(`${name}: make`, () => {
      checks = checksOf(graupel, name, subject);
    });
    for (const [what, work] of Object.entries(checks)) await one(`${name}: ${what}`, work);
  }
  for (const [what, work] of Object.entries(checksBeside(graupel))) await one(what, work);
  for (const [part, entry] of Object.entries(loaded.parts)) {
    const name = loaded.exported.parts[part];
    one(`the entry ${part} is of the same copy`, () => same(entry[name] === graupel[name], true, name));
  }
  checkEntries(graupel, result);
  if (Object.keys(loaded.leases).length > 0) await checkLeases(graupel, loaded.leases, result);
  const { without } = loaded.exported;
  return without.length === 0 ? result : { ...result, remark: `without ${without.join(", ")}` };
}
