/**
 * IDs in BSON and in Mongoose documents. No MongoDB runs: `bson` reads back what Mongoose passes to
 * the driver, as the driver does.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { deserialize, Long, serialize } from "bson";
import { discord, nanoflake, sno, snowflakeSI, twitter } from "graupel";
import { idPath } from "graupel/mongoose";
import mongoose, { Schema } from "mongoose";
import { runGuide } from "../support/guide.ts";
import { agree, ids, isRefused, MANY, ODD, orders } from "../support/rows.ts";

// biome-ignore lint/suspicious/noExplicitAny: each call sends data of a different shape
type Any = any;

const posts = nanoflake({ epoch: Date.UTC(2024, 0, 1) });
const tickets = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
const generator = twitter.generator({ datacenterId: 0, workerId: 7 });

const User = mongoose.model(
  "User",
  new Schema({
    _id: idPath(twitter, generator),
    name: String,
    friend: { ...idPath(twitter), ref: "User" },
    friends: [{ ...idPath(twitter), ref: "User" }],
    address: { city: String, owner: idPath(twitter) },
  }),
);
const Log = mongoose.model(
  "Log",
  new Schema({
    _id: idPath(sno, sno),
    user: { ...idPath(twitter), ref: "User" },
    before: { ...idPath(sno), ref: "Log" },
    message: idPath(discord),
    post: idPath(posts),
    ticket: idPath(tickets),
  }),
);

type Stored = Partial<Record<"large" | "small" | "id" | "user" | "friend" | "friends" | "given", unknown>>;

/** The stored document as a driver reads it, with or without options. */
const stored = (document: object, options = {}): Stored => deserialize(serialize(document), options);

/** The first two arguments that a call passes to the driver, after a BSON round trip. */
async function sent(method: string, call: () => unknown): Promise<Any> {
  const collection = User.collection as Any;
  let given: Any[] | undefined;
  collection[method] = (...parameters: Any[]) => {
    given = parameters.slice(0, 2);
    // Mongoose 7 still passes a callback to some methods.
    const [last] = parameters.slice(-1);
    return typeof last === "function" ? last(null, { getWriteErrors: () => [] }) : Promise.resolve({});
  };
  try {
    await call();
  } finally {
    delete collection[method];
  }
  assert.equal(given?.length, 2, `${method} was called`);
  return stored({ given }, { useBigInt64: true }).given;
}

/** The validation error of a path in a Mongoose document. */
async function refusalAt(document: { validate(): Promise<void> }, path: string): Promise<unknown> {
  const found: unknown = await document.validate().catch((error: unknown) => error);
  const error = (found as mongoose.Error.ValidationError | undefined)?.errors[path];
  return (error as { reason?: unknown } | undefined)?.reason ?? error;
}

/** A number that `ODD` rounds to. */
const ROUNDED = Number(ODD);

/** The canonical text of an ID. The types of filters only accept the ID. */
const text = (id: bigint) => `${id}` as never;

test("10,000 generated IDs of documents are read back whole, and ranges count them", () => {
  const source = ids();
  const Order = mongoose.model("Order", new Schema({ _id: idPath(orders, source), note: String }));
  const found = Array.from({ length: MANY }, (_, i) => {
    const bytes = serialize(new Order({ note: `${i}` }));
    return Order.hydrate(deserialize(bytes))._id as bigint;
  });
  return agree(source.made, found, async (min, max) => {
    const { $gte, $lte } = Order.find({ _id: { $gte: min, $lte: max } }).cast(Order)._id;
    return found.filter((id) => id >= $gte && id <= $lte).length;
  });
});

describe("documents", () => {
  test("each format has its own type, and is stored as an integer, a number, or text", async () => {
    const [post, ticket] = [posts.range().max, tickets.range().max];
    const log = new Log({ user: ODD, message: ODD, post, ticket });
    const user: bigint | null | undefined = log.user;
    const number: number | null | undefined = log.ticket;
    assert.deepEqual([user, log.message, log.post, number], [ODD, ODD, post, ticket]);
    const bson = stored(log, { useBigInt64: true });
    assert.deepEqual(bson, { _id: log._id, user: ODD, message: ODD, post, ticket });
    for (const options of [{}, { useBigInt64: true }, { promoteLongs: false }]) {
      const read = Log.hydrate(stored(log, options));
      await read.validate();
      assert.deepEqual(read.toObject(), log.toObject());
    }
  });

  test("canonical texts are accepted, also Nanoflake's of base 36", async () => {
    const log = new Log({ user: `${ODD}`, post: posts.format(ODD), ticket: "12", _id: "brpk4q72xwf2m63l" });
    assert.deepEqual([log._id, log.user, log.post, log.ticket], ["brpk4q72xwf2m63l", ODD, ODD, 12]);
    await log.validate();
    assert.equal(new Log({ user: Long.fromInt(5) }).user, 5n);
  });

  test("an invalid ID is rejected when the document is validated", async () => {
    const late = discord.range(Date.UTC(2100, 0, 1)).min;
    for (const [path, value, code] of [
      ["user", 5, "TYPE"],
      ["user", Number(ODD), "TYPE"],
      ["user", true, "TYPE"],
      ["user", {}, "TYPE"],
      ["user", new mongoose.Types.ObjectId(), "TYPE"],
      ["user", -1n, "RANGE"],
      ["user", Long.fromInt(-1), "RANGE"],
      ["user", 1n << 63n, "OVERFLOW"],
      ["user", "01", "NOT_CANONICAL"],
      ["user", "", "LENGTH"],
      ["message", late, "OVERFLOW"],
      ["message", `${late}`, "OVERFLOW"],
      ["ticket", 2 ** 53, "RANGE"],
      ["_id", "BRPK4Q72XWF2M63L", "CHARACTER"],
    ] as const) {
      const refusal = await refusalAt(new Log({ [path]: value }), path);
      assert.ok(refusal, `${path}: ${value}`);
      assert.ok(isRefused(code)(refusal));
    }
  });

  test("a rounded ID is not read", () => {
    assert.equal(Log.hydrate({ _id: "brpk4q72xwf2m63l", user: Number(ODD) }).user, undefined);
    assert.equal(Log.hydrate({ _id: "brpk4q72xwf2m63l", message: -5n }).message, undefined);
  });

  test("undefined gets the default, a key may not be null, and a reference may be", async () => {
    assert.ok(twitter.isValid(new User({ _id: undefined })._id));
    await assert.rejects(new User({ _id: null }).validate(), /`_id` is required/);
    const log = new Log({ user: null });
    await log.validate();
    assert.equal(stored(log).user, null);
  });

  test("if a generator throws, nothing is saved", async () => {
    const next = (): bigint => {
      throw new Error("the lease is lost");
    };
    const Broken = mongoose.model("Broken", new Schema({ _id: idPath(twitter, { next }) }));
    for (const call of [() => Broken.create({}), () => new Broken().save(), () => Broken.insertMany([{}])]) {
      await assert.rejects(call, /the lease is lost/);
    }
    await assert.rejects(async () => Broken.updateOne({}, {}, { upsert: true }), /the lease is lost/);
  });

  test("the text of an ID for JSON: `id`, and a replacer", () => {
    const user = new User({ _id: ODD, friends: [ODD] });
    assert.equal(user.id, `${ODD}`);
    assert.throws(() => JSON.stringify(user), TypeError);
    const text = JSON.stringify({ user }, (_, value) => (typeof value === "bigint" ? `${value}` : value));
    assert.deepEqual(JSON.parse(text), { user: { _id: `${ODD}`, friends: [`${ODD}`] } });
  });
});

describe("references", () => {
  const ada = new User({ _id: ODD, name: "Ada" });
  const first = new Log({ _id: "brpk4q72xwf2m63l" });

  test("a document in place of its ID is populated, and stored as its ID", () => {
    const user = new User({ friend: ada, friends: [ada, ada] });
    assert.equal((user.friend as unknown as typeof ada).name, "Ada");
    assert.deepEqual([user.populated("friend"), user.populated("friends")], [ODD, [ODD, ODD]]);
    const { friend, friends } = stored(user, { useBigInt64: true });
    assert.deepEqual([friend, friends], [ODD, [ODD, ODD]]);
    const log = new Log({ user: ada, before: first });
    const wanted = { _id: log._id, user: ODD, before: first._id };
    assert.deepEqual(stored(log, { useBigInt64: true }), wanted);
  });

  test("plain and pushed documents among IDs become their IDs", () => {
    const user = User.hydrate({ _id: 1n, friends: [] });
    user.friends.push(ada as never);
    user.friend = ada.toObject() as never;
    assert.equal(user.friend, ODD);
    // Mongoose 7 lacks this method.
    const changes = { $set: { friend: ODD }, $push: { friends: { $each: [ODD] } }, $inc: { __v: 1 } };
    if ("$getChanges" in user) assert.deepEqual(user.$getChanges(), changes);
    const mixed = new User({ friends: [ODD + 1n, ada] });
    assert.deepEqual(stored(mixed, { useBigInt64: true }).friends, [ODD + 1n, ODD]);
  });

  test("populate() finds documents by the stored ID", async () => {
    const log = Log.hydrate(stored(new Log({ user: ada })));
    const collection = User.collection as { find: unknown };
    let filter: unknown;
    collection.find = (given: object) => {
      filter = stored(given, { useBigInt64: true });
      return { toArray: async () => [stored(ada)] };
    };
    await log.populate("user");
    delete (collection as { find?: unknown }).find;
    assert.deepEqual(filter, { _id: { $in: [ODD] } });
    assert.equal((log.user as unknown as typeof ada).name, "Ada");
    assert.equal(stored(log, { useBigInt64: true }).user, ODD);
  });
});

describe("queries", () => {
  const cast = (query: { cast(model: never): unknown }) => query.cast(User as never);

  test("filters accept IDs, their texts and documents", () => {
    const ada = new User({ _id: ODD }) as never;
    const { min, max } = twitter.range(Date.UTC(2025, 0, 1), Date.UTC(2025, 1, 1));
    const between = User.where("_id")
      .gt(min as never)
      .lt(max as never);
    const byFriend = { friend: { $ne: ODD, $exists: true } };
    const not = { friend: { $not: { $eq: ODD } } };
    const among = { $in: [ODD, text(ODD)], $nin: [ODD + 1n] };
    for (const [query, wanted] of [
      [User.findById(text(ODD)), { _id: ODD }],
      [User.findById(ODD), { _id: ODD }],
      [User.findOne({ _id: ada }), { _id: ODD }],
      [User.find({ _id: among }), { _id: { $in: [ODD, ODD], $nin: [ODD + 1n] } }],
      [User.find({ _id: { $gte: min, $lte: text(max) } }), { _id: { $gte: min, $lte: max } }],
      [between, { _id: { $gt: min, $lt: max } }],
      [User.find(byFriend), byFriend],
      [User.find({ friend: null }), { friend: null }],
      [User.find({ friends: text(ODD) }), { friends: ODD }],
      [User.find({ friends: { $all: [ODD, text(ODD)] } }), { friends: { $all: [ODD, ODD] } }],
      [User.find({ "address.owner": text(ODD) }), { "address.owner": ODD }],
      [User.find({ $or: [{ _id: text(ODD) }, not] }), { $or: [{ _id: ODD }, not] }],
    ] as const) {
      assert.deepEqual(cast(query as never), wanted);
    }
  });

  test("invalid IDs are rejected in filters", () => {
    for (const [value, code] of [
      [5, "TYPE"],
      [{ $in: [Number(ODD)] }, "TYPE"],
      [{ $gte: "x" }, "CHARACTER"],
      [{ $lte: 1n << 63n }, "OVERFLOW"],
    ] as const) {
      assert.throws(() => cast(User.find({ _id: value as never }) as never), isRefused(code));
    }
    const messages = () => Log.find({ message: { $lte: discord.range().max } }).cast(Log);
    assert.throws(messages, isRefused("OVERFLOW"));
  });

  test("updates", async () => {
    const ada = new User({ _id: ODD }) as never;
    const change = {
      $set: { friend: text(ODD), "address.owner": ODD },
      $push: { friends: { $each: [ada, text(ODD)] } },
    };
    assert.deepEqual(await sent("updateOne", () => User.updateOne({ _id: text(ODD) }, change)), [
      { _id: ODD },
      { $set: { friend: ODD, "address.owner": ODD }, $push: { friends: { $each: [ODD, ODD] } } },
    ]);
    await assert.rejects(async () => User.updateOne({}, { friend: 5 as never }), isRefused("TYPE"));
  });

  test("an upsert generates an ID, but a replacement does not", async () => {
    const ada = () => ({ name: "Ada" });
    for (const method of ["updateOne", "findOneAndUpdate", "replaceOne"] as const) {
      const call = () => (User[method] as typeof User.updateOne)(ada(), ada(), { upsert: true });
      const [, update] = await sent(method, call);
      if (method === "replaceOne") assert.equal("_id" in update, false);
      else assert.ok(twitter.isValid(update.$setOnInsert._id));
    }
  });

  test("insertMany and bulkWrite generate IDs; insertMany with `lean` does not", async () => {
    const [many] = await sent("insertMany", () => User.insertMany([{ name: "a" }, { name: "b" }]));
    assert.equal(new Set(many.map(({ _id }: Any) => twitter.parse(_id))).size, 2);
    const [lean] = await sent("insertMany", () => User.insertMany([{ name: "a" }], { lean: true }));
    // Mongoose 7 creates documents even with `lean`.
    assert.equal(lean[0]._id === undefined, !mongoose.version.startsWith("7."));
    const insert = { insertOne: { document: { name: "a" } } };
    const update = { updateOne: { filter: { _id: text(ODD) }, update: { friend: ODD } } };
    const written = await sent("bulkWrite", () => User.bulkWrite([insert, update]));
    const [[{ insertOne }, { updateOne }]] = written;
    assert.ok(twitter.isValid(insertOne.document._id));
    assert.deepEqual(updateOne, { filter: { _id: ODD }, update: { $set: { friend: ODD } } });
  });
});

test("maps, lists of documents, nested paths, discriminators and all operators of updates are checked", async () => {
  const list = { ...idPath(twitter) };
  const paths = {
    _id: idPath(twitter, generator),
    map: { type: Map, of: list },
    list: [list],
    subs: [{ user: list, n: Number }],
    nested: { more: { owner: list } },
  };
  const Deep = mongoose.model("Deep", new Schema(paths as Any)) as Any;
  const Special = Deep.discriminator("Special", new Schema({ boss: list } as Any));
  const isTypeRefused = (call: () => unknown) => assert.rejects(async () => call(), isRefused("TYPE"));
  const deep = new Deep({ map: { a: `${ODD}` }, list: [`${ODD}`], subs: [{ user: `${ODD}` }] });
  assert.deepEqual([deep.map.get("a"), deep.list[0], deep.subs[0].user], [ODD, ODD, ODD]);
  for (const wrong of [{ map: { a: ROUNDED } }, { list: [ROUNDED] }, { subs: [{ user: ROUNDED }] }]) {
    await assert.rejects(new Deep(wrong).validate(), { name: "ValidationError" });
  }
  for (const filter of [
    { "map.a": ROUNDED },
    { list: { $elemMatch: { $eq: ROUNDED } } },
    { subs: { $elemMatch: { user: ROUNDED } } },
    { "subs.user": { $not: { $in: [ROUNDED] } } },
    { $nor: [{ list: { $all: [ROUNDED] } }] },
    { "nested.more.owner": { $in: [ROUNDED] } },
    { __t: "Special", boss: ROUNDED },
  ]) {
    await isTypeRefused(() => Deep.find(filter).cast(Deep));
  }
  await isTypeRefused(() => Special.find({ boss: ROUNDED }).cast(Special));
  const comparison = Deep.find({ $expr: { $eq: ["$_id", ROUNDED] } });
  assert.throws(() => comparison.cast(Deep), { name: "CastError" });
  for (const update of [
    { $set: { "map.a": ROUNDED } },
    { $set: { "list.0": ROUNDED } },
    { $set: { "subs.$[].user": ROUNDED } },
    { $setOnInsert: { "subs.0.user": ROUNDED } },
    { $pull: { list: ROUNDED } },
    { $pull: { subs: { user: ROUNDED } } },
    { $pullAll: { list: [ROUNDED] } },
    { $max: { "map.a": ROUNDED } },
    { $set: { nested: { more: { owner: ROUNDED } } } },
  ]) {
    await isTypeRefused(() => Deep.updateOne({}, update));
    await isTypeRefused(() => Deep.bulkWrite([{ updateOne: { filter: {}, update } }]));
    await isTypeRefused(() => Deep.findByIdAndUpdate(ODD, update));
  }
  await isTypeRefused(() =>
    Deep.updateOne({}, { $set: { "subs.$[x].n": 1 } }, { arrayFilters: [{ "x.user": ROUNDED }] }),
  );
});

test("invalid formats and generators, and the texts of Nanoflake, are rejected", () => {
  assert.throws(() => idPath({} as never), isRefused("TYPE"));
  assert.throws(() => idPath(twitter, {} as never), isRefused("TYPE"));
  assert.throws(() => idPath(posts.text), isRefused("TYPE"));
});

test("the guide", () =>
  runGuide("mongodb.md", "mongodb", { env: { MONGODB_URL: "mongodb://127.0.0.1" }, lines: 5 }));
