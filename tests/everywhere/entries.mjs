// The checks of the entries other than the formats. Each compares the results of calls, and checks
// an error, which shows that the entry and the format belong to the same package. This file is a
// plain ES module, like checks.mjs. To add an entry, add a line to one of the two tables.

/** A Discord ID, the same ID as an integer, and a sno ID. */
const TEXT = "175928847299117063";
const ID = BigInt(TEXT);
const SNO = "brpk4q72xwf2m63l";

const shown = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

export function same(actual, expected, what = "result") {
  if (!Object.is(actual, expected))
    throw new Error(`${what}: got ${shown(actual)}, expected ${shown(expected)}`);
}

/** Checks that a call throws a GraupelError with this code, as `graupel` identifies it. */
export function refused(graupel, code, call) {
  let result;
  try {
    result = call();
  } catch (error) {
    same(graupel.GraupelError.is(error), true, `a GraupelError, not ${String(error)}`);
    same(error.code, code, "the error's code");
    return;
  }
  throw new Error(`${call}: expected ${code}, got ${shown(result)}`);
}

/**
 * Runs one check and records it in `result`: the number that passed, and the names and messages of
 * those that failed. Returns a promise if the check does.
 */
export function tally(result, name, work) {
  const passes = () => {
    result.passed++;
  };
  const fails = (error) => {
    result.failed.push({ name, message: String(error?.message ?? error) });
  };
  try {
    const done = work();
    return typeof done?.then === "function" ? done.then(passes, fails) : passes();
  } catch (error) {
    return fails(error);
  }
}

/** A check: pairs of a result and its expected value, and calls that must throw `TYPE`. */
const checked = (pairsOf, ...refusals) => ({
  check(entry, graupel) {
    for (const [found, wanted] of pairsOf(entry, graupel)) same(found, wanted);
    for (const call of refusals) refused(graupel, "TYPE", () => call(entry, graupel));
  },
});

const EPOCH = Date.UTC(2024, 0, 1);
const BETWEEN = "`id` BETWEEN 1874244142494646272 AND 1885478166328246271";

/** The bytes of a key. */
const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);

/** The entries that need no other package. A check gets the entry and a copy of the package. */
export const ALONE = {
  branded: checked(({ branded }, { discord }) => [[branded(discord, "Message"), discord]]),
  encode: checked(
    ({ decode, encode }, { discord, sno }) => [
      [encode(discord, ID, "base62"), "0Czks0tP37X"],
      [decode(discord, "1QgmVVkniES", "base58"), ID],
      [encode(sno, SNO, "crockford32"), "9SQJ2R50ZYD0M41K"],
      [decode(sno, "4e6f2160a0ff9a0a1033", "hex"), SNO],
    ],
    ({ encode }, { discord }) => encode(discord, ID, "toString"),
  ),
  encodings: checked(({ base64url, crockford32Lenient, uuidv8 }, { discord }) => [
    [base64url.encode(discord, ID), "AnEGWsECAAc"],
    [uuidv8.decode(discord, "0271065a-c102-8000-9c00-000000000000"), ID],
    [crockford32Lenient.decode(discord, "o4w86-bb0g4-oo7"), ID],
  ]),
  prefixed: checked(
    ({ prefixed }, { discord }) => [
      [prefixed(discord, "msg_").format(ID), `msg_${TEXT}`],
      [prefixed(discord, "msg_").parse(`msg_${TEXT}`), ID],
    ],
    ({ prefixed }) => prefixed(0, "msg_"),
  ),
  "text-format": checked(
    ({ textFormat }, { discord }) => {
      const codes = { parse: (x) => discord.parse(x.slice(2)), format: (id) => `d_${id}` };
      return [[textFormat(discord, codes).toBigInt(`d_${TEXT}`), ID]];
    },
    ({ textFormat }, { discord }) => textFormat(discord, {}),
  ),
  read: checked(
    ({ discord, inspect, parse, range, sno, snowflake, timestamp }, graupel) => [
      [timestamp(discord, TEXT), 1462015105796],
      [timestamp(sno, SNO), graupel.sno.inspect(SNO).timestamp],
      [parse(discord, TEXT), ID],
      [shown(inspect(discord, TEXT)), shown(graupel.discord.inspect(TEXT))],
      [range(sno, 1462015105796).min, graupel.sno.range(1462015105796).min],
      [inspect(snowflake({ epoch: EPOCH, fields: { time: 41, a: 10, sequence: 12 } }), ID).a, 32],
    ],
    ({ discord, timestamp }) => timestamp(discord, 5),
  ),
  schema: checked(
    ({ jsonSchema, list, optional, shape }, { discord, sno }) => {
      const { validate } = shape({ id: discord, more: optional(list(sno)) })["~standard"];
      return [
        [jsonSchema(sno).pattern, "^[2-9a-x]{16}$"],
        [validate({ id: TEXT, more: SNO }).value.more[0], SNO],
        [String(validate({ id: TEXT, more: [SNO, ""] }).issues[0].path), "more,1"],
      ];
    },
    ({ shape }) => shape({ id: 1 }),
  ),
  sql: checked(
    ({ sql }, { twitter }) => [
      [sql(twitter, "sqlite").between("id", Date.UTC(2025, 0, 1), new Date(Date.UTC(2025, 1, 1))), BETWEEN],
    ],
    ({ sql }, { twitter }) => sql(twitter, "toString"),
  ),
};

/**
 * The entries that need a package from the user, with its name. `isServerOnly`: the entry runs
 * neither in browsers nor at the edge.
 */
export const WITH_PEER = {
  drizzle: {
    peer: "drizzle-orm",
    ...checked(
      ({ mysqlId, parseJson, pgId, sqliteId }, { discord }) => [
        ...[mysqlId, pgId, sqliteId].map((column) => [typeof column(discord)("id").primaryKey, "function"]),
        [parseJson(`{"id":${TEXT}}`).id, TEXT],
      ],
      ...["mysqlId", "pgId", "sqliteId"].map((name) => (entry) => entry[name](0)),
    ),
  },
  graphql: {
    peer: "graphql",
    ...checked(
      ({ scalar }, { discord }) => [[scalar(discord, "MessageID").serialize(ID), TEXT]],
      ({ scalar }) => scalar(0, "MessageID"),
    ),
  },
  kysely: {
    peer: "kysely",
    ...checked(
      ({ idPlugin, parseJson }, { discord }) => [
        [typeof idPlugin({ messages: { id: discord } }).transformQuery, "function"],
        [parseJson(`{"id":${TEXT}}`).id, TEXT],
      ],
      ({ idPlugin }) => idPlugin({ messages: { id: {} } }),
    ),
  },
  mongoose: {
    peer: "mongoose",
    ...checked(
      ({ idPath }, { discord }) => [[idPath(discord).cast(ID), ID]],
      ({ idPath }) => idPath(0),
    ),
  },
  prisma: {
    peer: "@prisma/client",
    ...checked(
      ({ idExtension }, { discord }) => [[typeof idExtension({ Message: { id: discord } }), "function"]],
      ({ idExtension }) => idExtension({ Message: { id: 0 } }),
    ),
  },
  sealed: {
    peer: "@noble/ciphers",
    ...checked(
      ({ sealed }, { discord, sno }) => [
        [sealed(discord, KEY, { purpose: "user" }).seal(ID), "HPFh2xoBcPT"],
        [sealed(sno, KEY).open("1vfA0XwElQWm73"), SNO],
      ],
      ({ sealed }, { discord }) => sealed(discord, KEY.subarray(1)),
    ),
  },
  sequelize: {
    peer: "sequelize",
    isServerOnly: true,
    ...checked(
      ({ idAttribute }, { discord }) => [[idAttribute(discord).type.stringify(ID), TEXT]],
      ({ idAttribute }) => idAttribute(0),
    ),
  },
  typeorm: {
    peer: "typeorm",
    isServerOnly: true,
    ...checked(
      ({ idColumn }, { discord }) => [[idColumn(discord).transformer.from(TEXT), ID]],
      ({ idColumn }) => idColumn(0),
    ),
  },
  zod: {
    peer: "zod",
    ...checked(
      ({ codec }, { discord }) => [
        [codec(discord).encode(codec(discord).decode(TEXT)), TEXT],
        [codec(discord).safeParse("x").error.issues[0].params.code, "CHARACTER"],
      ],
      ({ codec }) => codec(0),
    ),
  },
};

export const ENTRIES = { ...ALONE, ...WITH_PEER };
