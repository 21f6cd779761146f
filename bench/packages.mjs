// The other packages of the duel and of the bench, each used as its documentation shows.
// bench/README.md (Files) lists their properties.

import { randomUUID } from "node:crypto";

/** Twitter's epoch, so their texts are as long as those of `twitter`, the format beside them. */
const EPOCH = 1_288_834_974_657;

const BIGINT = { room: 4096, beside: ["twitter", "next"] };
const DECIMAL = { room: 4096, beside: ["twitter", "nextText"], makesText: true };
const TEXT = { beside: ["sno", "next"], makesText: true };
const UUID = {
  ...{ package: "uuid", makesText: true, parse: "parse(id)", isValid: "validate(id)" },
  scope: ({ parse, validate }) => ({ parse, validate }),
};

const STARTED = "threads and forks, unconfigured";

export const packages = [
  {
    name: "nodejs-snowflake",
    how: "instance_id; else one at random",
    unconfigured: true,
    chance: [STARTED],
    make({ default: { Snowflake } }, worker) {
      const settings = { custom_epoch: EPOCH, instance_id: worker };
      const generator = worker === undefined ? new Snowflake() : new Snowflake(settings);
      return () => generator.getUniqueID();
    },
    ...{ ...BIGINT, room: 1024 },
    scope: ({ default: { Snowflake } }) => ({ Snowflake, EPOCH }),
    inspect:
      "({ timestamp: Snowflake.timestampFromID(id, EPOCH), instance: Snowflake.instanceIDFromID(id) })",
    timestamp: "Snowflake.timestampFromID(id, EPOCH)",
  },
  {
    name: "@sapphire/snowflake",
    how: "the property workerId",
    unconfigured: true,
    make({ Snowflake }, worker) {
      const generator = new Snowflake(EPOCH);
      if (worker !== undefined) generator.workerId = worker;
      return () => generator.generate();
    },
    ...BIGINT,
    scope: ({ Snowflake }) => ({ format: new Snowflake(EPOCH) }),
    inspect: "format.deconstruct(id)",
    timestamp: "format.timestampFrom(id)",
    "timestamp of text": "format.timestampFrom(text)",
  },
  {
    name: "flake-idgen",
    how: "id",
    unconfigured: true,
    make({ default: FlakeId }, worker) {
      const generator = worker === undefined ? new FlakeId() : new FlakeId({ id: worker, epoch: EPOCH });
      return () => generator.next();
    },
    sortable: (id) => id.readBigUInt64BE(),
    ...BIGINT,
  },
  {
    name: "snowflake-id",
    how: "mid",
    unconfigured: true,
    make({ default: { default: Snowflake } }, worker) {
      const generator =
        worker === undefined ? new Snowflake() : new Snowflake({ mid: worker, offset: EPOCH });
      return () => generator.generate();
    },
    sortable: BigInt,
    ...DECIMAL,
  },
  {
    name: "@skorotkiewicz/snowflake-id",
    how: "the constructor's argument",
    make({ Snowflake }, worker) {
      const generator = new Snowflake(worker);
      return () => generator.generate();
    },
    sortable: BigInt,
    ...{ ...DECIMAL, awaits: true },
    scope: ({ decodeSnowflake }) => ({ decodeSnowflake }),
    inspect: "decodeSnowflake(id)",
  },
  {
    name: "snowflakify",
    how: "new WorkerFragment(5, number) in an otherwise default fragmentArray",
    unconfigured: true,
    make({ default: Snowflakify, ...fragments }, worker) {
      const { TimestampFragment, WorkerFragment, ProcessFragment, SequenceFragment } = fragments;
      const fragmentArray = () => [
        new TimestampFragment(42, EPOCH),
        new WorkerFragment(5, worker),
        new ProcessFragment(5),
        new SequenceFragment(12),
      ];
      const generator =
        worker === undefined ? new Snowflakify() : new Snowflakify({ fragmentArray: fragmentArray() });
      return () => generator.nextId();
    },
    ...BIGINT,
    scope: ({ default: Snowflakify }) => ({ format: new Snowflakify({ epoch: EPOCH }) }),
    inspect: "format.destructure(id)",
  },
  {
    name: "snowflake-uuid",
    how: "the constructor's first argument, with datacenter 0",
    unconfigured: true,
    make({ Worker }, worker) {
      const generator = worker === undefined ? new Worker() : new Worker(worker, 0, { epoch: EPOCH });
      return () => generator.nextId();
    },
    ...BIGINT,
  },
  {
    name: "xid-js",
    how: "none: a hash of the host's name, the process ID, and a counter with a random start",
    unconfigured: true,
    chance: ["two copies", "four threads", STARTED, "killed and restarted"],
    make: ({ default: { next } }) => next,
    ...{ ...TEXT, room: 4096 },
  },
  {
    name: "ulid",
    how: "none: 80 random bits",
    unconfigured: true,
    make({ monotonicFactory }) {
      const next = monotonicFactory();
      return () => next();
    },
    ...{ ...TEXT, room: 4096 },
    scope: ({ isValid, decodeTime }) => ({ isValid, decodeTime }),
    isValid: "isValid(id)",
    inspect: "decodeTime(id)",
  },
  {
    name: "uuidv7",
    how: "none: 74 random bits, of which 42 begin a counter",
    unconfigured: true,
    make({ V7Generator }) {
      const generator = new V7Generator();
      return () => generator.generate().toString();
    },
    ...{ ...TEXT, room: 4096 },
    scope: ({ UUID }) => ({ UUID }),
    parse: "UUID.parse(id)",
  },
  { ...UUID, name: "uuid v7", beside: ["sno", "next"], make: ({ v7 }) => v7 },
  {
    name: "typeid-js",
    make:
      ({ typeid }) =>
      () =>
        typeid("user").toString(),
    ...TEXT,
    scope: ({ TypeID }) => ({ TypeID }),
    parse: "TypeID.fromString(id)",
  },
  {
    ...{ name: "bson ObjectId", package: "bson", beside: ["sno", "next"] },
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
  // These IDs contain no time. They are shown for comparison.
  { ...UUID, name: "uuid v4", make: ({ v4 }) => v4 },
  { name: "nanoid", makesText: true, make: ({ nanoid }) => nanoid },
  {
    ...{ name: "hyperid", makesText: true, make: ({ default: hyperid }) => hyperid() },
    scope: ({ default: { decode } }) => ({ decode }),
    parse: "decode(id)",
  },
  { name: "crypto.randomUUID", package: "node:crypto", makesText: true, make: () => randomUUID },
].map((one) => ({ package: one.name, ...one }));
