// The other packages as cases: those of the duel, and some whose IDs do not sort by time but are fast. Each is used as its
// own documentation shows.

import { randomUUID } from "node:crypto";
import { peers as duellists } from "../duel/peers.mjs";
import { flat, roomOf, used } from "./floors.mjs";

/** For packages that need the epoch again to read an ID. */
const EPOCH = Date.UTC(2024, 0, 1);

/** IDs per millisecond of a package with a sequence: 12 bits, unless it says otherwise. */
const ROOM = 4096;

/**
 * What the duel does not need, as code for the cases. In the code, `id` stands for a new ID, and `text` for its text.
 * `beside` names the case of graupel that a package is compared with: bigint or bytes with a bigint, decimal text with
 * decimal text, other text with sno.
 */
const abilities = {
  "nodejs-snowflake": {
    room: 1024,
    beside: ["twitter", "next"],
    scope: ({ default: { Snowflake } }) => ({ Snowflake, EPOCH }),
    inspect:
      "({ timestamp: Snowflake.timestampFromID(id, EPOCH), instance: Snowflake.instanceIDFromID(id) })",
    timestamp: "Snowflake.timestampFromID(id, EPOCH)",
  },
  "@sapphire/snowflake": {
    beside: ["twitter", "next"],
    scope: ({ Snowflake }) => ({ format: new Snowflake(EPOCH) }),
    inspect: "format.deconstruct(id)",
    timestamp: "format.timestampFrom(id)",
  },
  "flake-idgen": { beside: ["twitter", "next"] },
  "snowflake-id": { beside: ["twitter", "nextText"], makesText: true },
  "@skorotkiewicz/snowflake-id": {
    beside: ["twitter", "nextText"],
    makesText: true,
    awaits: true,
    scope: ({ decodeSnowflake }) => ({ decodeSnowflake }),
    inspect: "decodeSnowflake(id)",
  },
  snowflakify: {
    beside: ["twitter", "next"],
    scope: ({ default: Snowflakify }) => ({ format: new Snowflakify({ epoch: EPOCH }) }),
    inspect: "format.destructure(id)",
  },
  "snowflake-uuid": { beside: ["twitter", "next"] },
  "xid-js": { beside: ["sno", "next"], makesText: true },
  ulid: {
    beside: ["sno", "next"],
    makesText: true,
    scope: ({ isValid, decodeTime }) => ({ isValid, decodeTime }),
    isValid: "isValid(id)",
    inspect: "decodeTime(id)",
  },
  uuidv7: {
    beside: ["sno", "next"],
    makesText: true,
    scope: ({ UUID }) => ({ UUID }),
    parse: "UUID.parse(id)",
  },
};

const uuid = { package: "uuid", makesText: true, parse: "parse(id)", isValid: "validate(id)" };
const uuidScope = ({ parse, validate }) => ({ parse, validate });

const others = [
  { ...uuid, name: "uuid v7", beside: ["sno", "next"], make: ({ v7 }) => v7, scope: uuidScope },
  {
    name: "typeid-js",
    beside: ["sno", "next"],
    makesText: true,
    make:
      ({ typeid }) =>
      () =>
        typeid("user").toString(),
    scope: ({ TypeID }) => ({ TypeID }),
    parse: "TypeID.fromString(id)",
  },
  {
    name: "bson ObjectId",
    package: "bson",
    beside: ["sno", "next"],
    make:
      ({ ObjectId }) =>
      () =>
        new ObjectId(),
    scope: ({ ObjectId }) => ({ ObjectId }),
    text: (id) => id.toHexString(),
    parse: "ObjectId.createFromHexString(text)",
    isValid: "ObjectId.isValid(text)",
    inspect: "id.getTimestamp()",
  },
  {
    name: "bson ObjectId, hex",
    package: "bson",
    beside: ["sno", "next"],
    makesText: true,
    make:
      ({ ObjectId }) =>
      () =>
        new ObjectId().toHexString(),
    scope: ({ ObjectId }) => ({ ObjectId }),
    inspect: "ObjectId.createFromHexString(id).getTimestamp()",
  },
  // No time in these IDs: shown for comparison.
  { ...uuid, name: "uuid v4", make: ({ v4 }) => v4, scope: uuidScope },
  { name: "nanoid", makesText: true, make: ({ nanoid }) => nanoid },
  {
    name: "hyperid",
    makesText: true,
    make: ({ default: hyperid }) => hyperid(),
    scope: ({ default: { decode } }) => ({ decode }),
    parse: "decode(id)",
  },
  { name: "crypto.randomUUID", package: "node:crypto", makesText: true, make: () => randomUUID },
];

export const peers = [
  ...duellists.map((peer) => ({ room: ROOM, ...peer, ...abilities[peer.name] })),
  ...others.map((peer) => ({ package: peer.name, ...peer })),
];

/** The worker ID for each package that takes one. */
const WORKER = 1;

export async function peerCases({ package: specifier, make, room, awaits, makesText, ...peer }) {
  const module = await import(specifier);
  const next = make(module, WORKER);
  const ids = [];
  for (let i = 0; i < 16; i++) ids.push(await next());
  const texts = ids.map((id) => flat(peer.text?.(id) ?? String(id)));
  const scope = { ids: makesText ? texts : ids, texts, ...peer.scope?.(module) };
  const generate = { operation: "next", code: "next()", scope: { next }, awaits };
  if (room) generate.room = roomOf({ sure: room });
  const reads = ["parse", "isValid", "inspect", "timestamp"].filter((operation) => peer[operation]);
  return [
    generate,
    ...(makesText ? used(generate) : []),
    ...reads.map((operation) => {
      const code = peer[operation].replace(/\bid\b/g, "ids[i & 15]").replace(/\btext\b/g, "texts[i & 15]");
      return { operation, code, scope };
    }),
  ];
}
