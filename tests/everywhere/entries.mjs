// What is checked of the entries beside the formats: calls whose results are known. A plain ES module, as checks.mjs. A new entry is
// a line of one of the two tables.

/** An ID of Discord, the same as an integer, and an ID of sno. */
const TEXT = "175928847299117063";
const ID = BigInt(TEXT);
const SNO = "brpk4q72xwf2m63l";

const shown = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));

export function same(actual, expected, what) {
  if (!Object.is(actual, expected))
    throw new Error(`${what}: got ${shown(actual)}, expected ${shown(expected)}`);
}

/** A call that must be refused with a GraupelError of this code, as `graupel` knows it. */
export function refused(graupel, code, call, what = "refusal") {
  let result;
  try {
    result = call();
  } catch (error) {
    same(graupel.GraupelError.is(error), true, `${what}: a GraupelError, not ${String(error)}`);
    same(error.code, code, `${what}: the error's code`);
    return;
  }
  throw new Error(`${what}: expected ${code}, got ${shown(result)}`);
}

/**
 * Makes one check, and counts it in `result`: how many passed, and the names and messages of those that failed. A promise if the check is one.
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

/** A check that says only this: these exports of an entry take a format first, and refuse what is none. */
const takesFormat =
  (...names) =>
  (entry, graupel) => {
    for (const name of names) refused(graupel, "TYPE", () => entry[name](0));
  };

/** Texts of both IDs in each alphabet. */
const ENCODED = {
  base62: ["0Czks0tP37X", "1qny1P34ZqCF87"],
  base58: ["1QgmVVkniES", "5QahkWYQhmUgRG"],
  crockford32: ["04W86BB0G4007", "9SQJ2R50ZYD0M41K"],
  hex: ["0271065ac1020007", "4e6f2160a0ff9a0a1033"],
};

const BETWEEN = "`id` BETWEEN 1874244142494646272 AND 1885478166328246271";

/** Bytes of a key. */
const KEY = Uint8Array.from({ length: 32 }, (_, i) => i);

/** The entries that need nothing of others, and their checks, which get the entry and a copy of the package. */
export const ALONE = {
  branded: ({ branded }, { discord }) => same(branded(discord, "Message"), discord, "the format itself"),
  encode({ decode, encode }, graupel) {
    for (const [encoding, texts] of Object.entries(ENCODED)) {
      for (const [i, [format, id]] of [
        [graupel.discord, ID],
        [graupel.sno, SNO],
      ].entries()) {
        same(encode(format, id, encoding), texts[i], encoding);
        same(decode(format, texts[i], encoding), id, `from ${encoding}`);
      }
    }
    refused(graupel, "CHARACTER", () => decode(graupel.discord, "0Czks0tP37!", "base62"));
    refused(graupel, "TYPE", () => encode(graupel.discord, ID, "toString"));
  },
  encodings(encodings, graupel) {
    for (const [encoding, text] of [
      ["base64url", "AnEGWsECAAc"],
      ["shortcode", "JxBlrBAgAH"],
      ["zbase32", "yjaocssbyeyyq"],
      ["crockford32Lower", "04w86bb0g4007"],
      ["crockford32Lenient", "04W86BB0G4007"],
      ["uuidv8", "0271065a-c102-8000-9c00-000000000000"],
    ]) {
      same(encodings[encoding].encode(graupel.discord, ID), text, encoding);
      same(encodings[encoding].decode(graupel.discord, text), ID, `from ${encoding}`);
    }
    const { crockford32Lenient, uuidv8 } = encodings;
    same(crockford32Lenient.decode(graupel.discord, "o4w86-bb0g4-oo7"), ID, "typed");
    refused(graupel, "CHARACTER", () =>
      uuidv8.decode(graupel.discord, "0271065a-c102-7000-9c00-000000000000"),
    );
  },
  prefixed({ prefixed }, graupel) {
    const messages = prefixed(graupel.discord, "msg_");
    same(messages.format(ID), `msg_${TEXT}`, "format");
    same(messages.parse(`msg_${TEXT}`), ID, "parse");
    same(messages["~standard"].validate(TEXT).issues.length, 1, "issues");
    refused(graupel, "CHARACTER", () => messages.parse(`usr_${TEXT}`));
  },
  "text-format"({ textFormat }, graupel) {
    const codes = { parse: (x) => graupel.discord.parse(x.slice(2)), format: (id) => `d_${id}` };
    const messages = textFormat(graupel.discord, codes);
    same(messages.fromBigInt(ID), `d_${TEXT}`, "fromBigInt");
    same(messages.toBigInt(`d_${TEXT}`), ID, "toBigInt");
    refused(graupel, "TYPE", () => textFormat(graupel.discord, {}));
  },
  read(read, graupel) {
    const { discord, inspect, isValid, parse, range, sno, snowflake, timestamp } = read;
    same(timestamp(discord, ID), 1462015105796, "the time of a bigint");
    same(timestamp(discord, TEXT), 1462015105796, "the time of a text");
    same(timestamp(sno, SNO), graupel.sno.timestamp(SNO), "the time of a sno");
    same(parse(discord, TEXT), ID, "parse");
    same(shown(inspect(discord, TEXT)), shown(graupel.discord.inspect(TEXT)), "inspect");
    same(isValid(discord, `0${TEXT}`), false, "isValid");
    same(range(sno, 1462015105796).min, graupel.sno.range(1462015105796).min, "range");
    const layout = { epoch: Date.UTC(2024, 0, 1), fields: { time: 41, worker: 10, sequence: 12 } };
    same(
      inspect(snowflake(layout), BigInt("132633958809612289")).worker,
      graupel.snowflake(layout).inspect(BigInt("132633958809612289")).worker,
      "a layout of one's own",
    );
    refused(graupel, "CHARACTER", () => timestamp(discord, "17592884729911706x"));
    refused(graupel, "CONFLICT", () => snowflake({ ...layout, fields: { time: 41 } }));
  },
  schema({ jsonSchema, list, optional, shape }, graupel) {
    const { discord, sno, snowflakeSI } = graupel;
    same(jsonSchema(sno).pattern, "^[2-9a-x]{16}$", "pattern");
    same(new RegExp(jsonSchema(discord).pattern).test("18446744073709551616"), false, "2 to the power of 64");
    same(
      jsonSchema(snowflakeSI({ epoch: Date.UTC(2024, 0, 1) })).maximum,
      Number.MAX_SAFE_INTEGER,
      "maximum",
    );
    const { validate } = shape({ id: discord, more: optional(list(sno)) })["~standard"];
    same(validate({ id: TEXT, more: SNO }).value.more[0], SNO, "a list of one");
    same(String(validate({ id: TEXT, more: [SNO, ""] }).issues[0].path), "more,1", "path");
    refused(graupel, "TYPE", () => shape({ id: 1 }));
  },
  sql({ sql }, graupel) {
    const { between } = sql(graupel.twitter, "sqlite");
    same(between("id", Date.UTC(2025, 0, 1), new Date(Date.UTC(2025, 1, 1))), BETWEEN, "between");
    same(sql(graupel.discord, "postgres").timeOf("id").includes("1420070400000"), true, "the epoch");
    refused(graupel, "TYPE", () => sql(graupel.twitter, "toString"));
  },
};

/**
 * The entries that need a package of the user's: its name, and their checks. `isServerOnly`: it runs in no browser and at no edge.
 * `isModuleOnly`: it has no CommonJS, for runners of tests that load nothing else.
 */
export const WITH_PEER = {
  drizzle: {
    peer: "drizzle-orm",
    check(entry, graupel) {
      const { mysqlId, parseJson, pgId, sqliteId } = entry;
      for (const column of [mysqlId, pgId, sqliteId]) {
        same(typeof column(graupel.discord)("id").primaryKey, "function", "a column");
      }
      takesFormat("mysqlId", "pgId", "sqliteId")(entry, graupel);
      same(parseJson(`{"id":${TEXT}}`).id, TEXT, "parseJson");
    },
  },
  graphql: {
    peer: "graphql",
    check({ scalar }, graupel) {
      const { parseValue, serialize } = scalar(graupel.discord, "MessageID");
      same(serialize(ID), TEXT, "serialize");
      same(parseValue(TEXT), ID, "parseValue");
      refused(graupel, "TYPE", () => scalar(0, "MessageID"));
    },
  },
  kysely: {
    peer: "kysely",
    check({ idPlugin, parseJson }, graupel) {
      same(typeof idPlugin({ messages: { id: graupel.discord } }).transformQuery, "function", "a plugin");
      same(parseJson(`{"id":${TEXT}}`).id, TEXT, "parseJson");
      refused(graupel, "TYPE", () => idPlugin({ messages: { id: {} } }));
    },
  },
  mongoose: {
    peer: "mongoose",
    check(entry, graupel) {
      same(entry.idPath(graupel.discord).cast(ID), ID, "cast");
      takesFormat("idPath")(entry, graupel);
    },
  },
  prisma: {
    peer: "@prisma/client",
    check({ idExtension }, graupel) {
      same(typeof idExtension({ Message: { id: graupel.discord } }), "function", "an extension");
      refused(graupel, "TYPE", () => idExtension({ Message: { id: 0 } }));
    },
  },
  sealed: {
    peer: "@noble/ciphers",
    isModuleOnly: true,
    check({ sealed }, graupel) {
      const messages = sealed(graupel.discord, KEY, { purpose: "user" });
      same(messages.seal(ID), "HPFh2xoBcPT", "seal");
      same(messages.open("HPFh2xoBcPT"), ID, "open");
      same(sealed(graupel.sno, KEY).seal(SNO), "1vfA0XwElQWm73", "sno");
      refused(graupel, "TYPE", () => sealed(graupel.discord, KEY.subarray(1)));
    },
  },
  sequelize: {
    peer: "sequelize",
    isServerOnly: true,
    check(entry, graupel) {
      same(entry.idAttribute(graupel.discord).type.stringify(ID), TEXT, "stringify");
      takesFormat("idAttribute")(entry, graupel);
    },
  },
  typeorm: {
    peer: "typeorm",
    isServerOnly: true,
    check(entry, graupel) {
      same(entry.idColumn(graupel.discord).transformer.from(TEXT), ID, "from");
      takesFormat("idColumn")(entry, graupel);
    },
  },
  zod: {
    peer: "zod",
    check({ codec }, graupel) {
      const message = codec(graupel.discord);
      same(message.decode(TEXT), ID, "decode");
      same(message.encode(ID), TEXT, "encode");
      same(message.safeParse("x").error.issues[0].params.code, "CHARACTER", "the code of an issue");
      refused(graupel, "TYPE", () => codec(0));
    },
  },
};

/** What a row says of entries that it lacks. */
const without = (names) => `without ${names.join(", ")}`;

/**
 * Adds to what `check` resolves to. `graupel`: a copy of the package. `entries`: what each of the entries alone exports, by its name; null in
 * a host that cannot read them. An entry that is not there has failed.
 */
export function checkEntries(graupel, entries, result) {
  if (entries === null) return { ...result, remark: without(Object.keys(ALONE)) };
  for (const [name, check] of Object.entries(ALONE)) {
    tally(result, `graupel/${name}`, () => check(entries[name], graupel));
  }
  return result;
}

/**
 * Loads and checks the entries with a peer, with each copy of the package. `loads`: by the name of each, what loads it. `lacking`: by the name
 * of an entry that cannot be had in this host, a part of the message that its loading has to fail with. Resolves to as `check` does.
 */
export async function checkWithPeers(copies, loads, lacking = {}) {
  const result = { core: "both", passed: 0, failed: [] };
  const missing = [];
  for (const [name, { check }] of Object.entries(WITH_PEER)) {
    const expected = lacking[name];
    try {
      const entry = await loads[name]();
      for (const graupel of copies) {
        check(entry, graupel);
        result.passed++;
      }
      if (expected) throw new Error(`it can be had: expected "${expected}"`);
    } catch (error) {
      const message = String(error?.message ?? error);
      if (expected && message.includes(expected)) missing.push(name);
      else result.failed.push({ name: `graupel/${name}`, message });
    }
  }
  return missing.length > 0 ? { ...result, remark: without(missing) } : result;
}
