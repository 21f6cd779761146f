/**
 * The list "What is not checked" in www/docs/mongodb.md. Each gap exists, and the page's
 * alternative works.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deserialize, serialize } from "bson";
import { sno, twitter } from "graupel";
import { idPath } from "graupel/mongoose";
import mongoose, { Schema } from "mongoose";
import { testGaps } from "../support/guide.ts";
import { isRefused, ODD, pluck } from "../support/rows.ts";
import { sentBy } from "./sent.ts";

// biome-ignore lint/suspicious/noExplicitAny: most unchecked calls do not compile
type Any = any;

const ROUNDED = Number(ODD);
const ids = twitter.generator({ datacenterId: 2, workerId: 7 });
const schema = new Schema({
  _id: idPath(twitter, ids),
  owner: { ...idPath(twitter), ref: "Thing" },
  address: { owner: idPath(twitter), more: { owner: idPath(twitter) } },
  parts: [{ owner: idPath(twitter), made: { by: idPath(twitter) } }],
  own: new Schema({ owner: idPath(twitter) }, { _id: false }),
  name: String,
});
const Thing = mongoose.model("Thing", schema) as Any;
const Special = Thing.discriminator("Special", new Schema({ boss: idPath(twitter) }));

const sent = (method: string, call: () => Promise<unknown>) => sentBy(Thing, method, call);
const isTypeRefused = (call: () => unknown) => assert.rejects(async () => call(), isRefused("TYPE"));
/** What an update sends to the driver. */
const updated = async (update: object, options = {}) =>
  (await sent("updateOne", () => Thing.updateOne({}, structuredClone(update), options)))[1];
const cast = (filter: object, model = Thing) => model.find(filter).cast(model);

const GAPS: Record<string, () => Promise<void>> = {
  "results of `lean()`, `distinct()`, `aggregate()` and `watch()`": async () => {
    const stored = serialize({ _id: ODD });
    assert.equal(typeof deserialize(stored)._id, "object");
    assert.equal(twitter.fromBigInt(BigInt(deserialize(stored)._id)), ODD);
    assert.equal(twitter.fromBigInt(BigInt(deserialize(serialize({ _id: 5n }))._id)), 5n);
  },
  "`$expr`, except for an ID to the right of a path in a comparison": async () => {
    for (const unchecked of [
      (id: unknown) => ({ $in: ["$_id", [id]] }),
      (id: unknown) => ({ $not: [{ $eq: ["$owner", id] }] }),
      (id: unknown) => ({ $eq: [id, "$_id"] }),
      (id: unknown) => ({ $eq: [{ $ifNull: ["$owner", id] }, id] }),
    ]) {
      for (const id of [ROUNDED, twitter.parse(`${ODD}`)]) {
        assert.deepEqual(cast({ $expr: unchecked(id) }), { $expr: unchecked(id) });
      }
    }
    assert.throws(() => cast({ $expr: { $eq: ["$_id", ROUNDED] } }), { name: "CastError" });
    await isTypeRefused(() => cast({ _id: { $in: [ROUNDED] } }));
  },
  "stages of `aggregate()`, and updates with a pipeline": async () => {
    const match = async (owner: unknown) =>
      (await sent("aggregate", () => Thing.aggregate([{ $match: { owner } }])))[0];
    assert.deepEqual(await match(ROUNDED), [{ $match: { owner: ROUNDED } }]);
    assert.deepEqual(await match(twitter.parse(`${ODD}`)), [{ $match: { owner: ODD } }]);
    const stages = [{ $set: { owner: ROUNDED } }];
    assert.deepEqual(await updated(stages, { updatePipeline: true }), stages);
    await isTypeRefused(() => Thing.updateOne({}, { $set: { owner: ROUNDED } }));
  },
  "a path that is `Mixed` or not in the schema; a discriminator's path in a query on its base model":
    async () => {
      const query = Thing.find({ boss: ROUNDED }).setOptions({ strictQuery: false });
      assert.deepEqual(query.cast(Thing), { boss: ROUNDED });
      await isTypeRefused(() => cast({ boss: ROUNDED }, Special));
      await isTypeRefused(() => cast({ __t: "Special", boss: ROUNDED }));
    },
  "a nested object without its own schema, in a filter or `$pull`: `{ address: { owner: id } }`":
    async () => {
      const owner = ROUNDED;
      for (const filter of [
        { address: { owner } },
        { address: { $in: [{ owner }] } },
        { $nor: [{ "address.more": { owner } }] },
        { parts: { $elemMatch: { made: { by: owner } } } },
        { "parts.made": { by: owner } },
      ]) {
        assert.deepEqual(cast(structuredClone(filter)), filter);
      }
      const pull = { $pull: { parts: { made: { by: owner } } } };
      assert.deepEqual(await updated(pull), pull);
      for (const filter of [
        { "address.owner": owner },
        { "address.more.owner": { $in: [owner] } },
        { parts: { $elemMatch: { "made.by": owner } } },
        { "parts.made.by": owner },
      ]) {
        await isTypeRefused(() => cast(filter));
      }
      for (const filter of [{ own: { owner } }, { own: { $in: [{ owner }] } }]) {
        assert.throws(() => cast(filter), { name: "CastError" });
      }
      await isTypeRefused(() => Thing.updateOne({}, { $pull: { parts: { "made.by": owner } } }));
      await isTypeRefused(() => Thing.updateOne({}, { $set: { address: { more: { owner } } } }));
    },
  "`$inc`, `$mul` and `$bit` of an ID": async () => {
    for (const update of [{ $inc: { owner: 1n } }, { $mul: { owner: 2n } }, { $bit: { owner: { or: 1n } } }])
      assert.deepEqual(await updated(update), update);
    await isTypeRefused(() => Thing.updateOne({}, { $set: { owner: ROUNDED } }));
    assert.deepEqual(await updated({ $set: { owner: `${ODD}` } }), { $set: { owner: ODD } });
  },
  "`$elemMatch` in a projection": async () => {
    const project = async (owner: unknown) =>
      (await sent("find", () => Thing.find({}, { parts: { $elemMatch: { owner } } })))[1].projection;
    assert.equal((await project(ROUNDED)).code, "TYPE");
    assert.deepEqual((await project(twitter.parse(`${ODD}`))).parts, { $elemMatch: { owner: ODD } });
  },
  "`min()`, `max()` and `$where` of a query": async () => {
    const [, options] = await sent("find", () => Thing.find().setOptions({ min: { owner: ROUNDED } }));
    assert.deepEqual(options.min, { owner: ROUNDED });
    await isTypeRefused(() => cast({ owner: { $gte: ROUNDED } }));
  },
  "`Model.collection`, and `insertMany` with `lean: true`": async () => {
    const row = { _id: ODD, owner: ROUNDED };
    assert.deepEqual((await sent("insertOne", () => Thing.collection.insertOne(row)))[0], row);
    const [[lean]] = await sent("insertMany", () => Thing.insertMany([row], { lean: true }));
    // Mongoose 7 omits the reference.
    assert.equal(lean.owner, mongoose.version.startsWith("7.") ? undefined : ROUNDED);
    await assert.rejects(Thing.insertMany([row]), { name: "ValidationError" });
  },
  "`arrayFilters` of `bulkWrite()`, before Mongoose 9.12": async () => {
    const arrayFilters = [{ "e.owner": ROUNDED }];
    const update = { $set: { "parts.$[e].owner": ODD } };
    const call = () =>
      sent("bulkWrite", () => Thing.bulkWrite([{ updateOne: { filter: {}, update, arrayFilters } }]));
    if (/^([78]|9\.([0-9]|1[01]))\./.test(mongoose.version)) {
      assert.deepEqual((await call())[0][0].updateOne.arrayFilters, arrayFilters);
    } else {
      await isTypeRefused(call);
    }
    await isTypeRefused(() => Thing.updateOne({}, update, { arrayFilters }));
  },
  "`id()`, `includes()` and `indexOf()` of a document's arrays": async () => {
    const own = { _id: idPath(twitter), list: [idPath(twitter)], parts: [{ _id: idPath(twitter) }] };
    const Order = mongoose.model("Order", new Schema(own as Any)) as Any;
    const other = BigInt(ROUNDED);
    const order = Order.hydrate({ _id: ODD, list: [other], parts: [{ _id: other }, { _id: ODD }] });
    assert.equal(order.parts.id(ROUNDED)._id, other);
    assert.deepEqual([order.list.includes(ROUNDED), order.list.indexOf(ROUNDED)], [true, 0]);
    assert.equal(order.parts.id(twitter.parse(`${ODD}`))._id, ODD);
  },
  "`replaceOne`, `findOneAndReplace`, `validateBeforeSave: false`, `skipValidation: true`, and `insertMany` and `bulkWrite` with `ordered: false`":
    async () => {
      const row = { _id: ODD, owner: ROUNDED, name: "a" };
      const [, replacement] = await sent("replaceOne", () => Thing.replaceOne({}, row));
      assert.deepEqual([replacement.name, "owner" in replacement], ["a", false]);
      const [saved] = await sent("insertOne", () => new Thing(row).save({ validateBeforeSave: false }));
      assert.deepEqual([saved.name, "owner" in saved], ["a", false]);
      const many = () => Thing.insertMany([row, { name: "b" }], { ordered: false });
      assert.deepEqual(pluck((await sent("insertMany", many))[0], "name"), ["b"]);
      const insert = [{ insertOne: { document: row } }];
      const unchecked = () => Thing.bulkWrite(insert, { skipValidation: true });
      const [[{ insertOne }]] = await sent("bulkWrite", unchecked);
      assert.deepEqual([insertOne.document.name, insertOne.document.owner], ["a", undefined]);
      const update = (owner: unknown) => ({ updateOne: { filter: {}, update: { owner } } });
      const updates = () => [update(ROUNDED), update(ODD)];
      const [kept] = await sent("bulkWrite", () => Thing.bulkWrite(updates(), { ordered: false }));
      assert.equal(kept.length, 1);
      await isTypeRefused(() => Thing.bulkWrite(updates()));
      await assert.rejects(new Thing(row).validate(), { name: "ValidationError" });
      await assert.rejects(Thing.insertMany([row, { name: "b" }]), { name: "ValidationError" });
    },
  "the `_id` of a document that `replaceOne` or `findOneAndReplace` inserts with `upsert`": async () => {
    const replace = async (row: object) =>
      (await sent("replaceOne", () => Thing.replaceOne({ name: "a" }, row, { upsert: true })))[1];
    assert.equal("_id" in (await replace({ name: "a" })), false);
    const given = { _id: ids.next(), name: "a" };
    const replacement = await replace(given);
    assert.equal(replacement._id, given._id);
  },
  "a stored value that is not an ID": async () => {
    const read = Thing.hydrate({ _id: ODD, owner: ROUNDED });
    assert.equal(read.owner, undefined);
    const refusal = await read.validate().catch((error: Any) => error);
    assert.match(refusal.name, /^(Cast|Validation)Error$/);
  },
  "your own `default`": async () => {
    const schemaWith = (made: Any) =>
      new Schema({ _id: Number, log: { ...idPath(sno), default: made } } as Any);
    const Wrong = mongoose.model("Wrong", schemaWith(sno.next)) as Any;
    assert.equal(new Wrong({ _id: 1 }).log, undefined);
    const own = () => sno.next();
    const Right = mongoose.model("Right", schemaWith(own)) as Any;
    assert.ok(sno.isValid(new Right({ _id: 1 }).log));
  },
};

testGaps("mongodb.md", GAPS);

test("maps, lists in lists, lists of documents and all operators of updates are checked", async () => {
  const list = { ...idPath(twitter) };
  const paths = {
    _id: idPath(twitter, ids),
    map: { type: Map, of: list },
    list: [list],
    subs: [{ user: list, n: Number }],
  };
  const Deep = mongoose.model("Deep", new Schema(paths as Any)) as Any;
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
  ]) {
    await isTypeRefused(() => cast(filter, Deep));
  }
  for (const update of [
    { $set: { "map.a": ROUNDED } },
    { $set: { "list.0": ROUNDED } },
    { $set: { "subs.$[].user": ROUNDED } },
    { $setOnInsert: { "subs.0.user": ROUNDED } },
    { $pull: { list: ROUNDED } },
    { $pull: { subs: { user: ROUNDED } } },
    { $pullAll: { list: [ROUNDED] } },
    { $max: { "map.a": ROUNDED } },
  ]) {
    await isTypeRefused(() => Deep.updateOne({}, update));
    await isTypeRefused(() => Deep.bulkWrite([{ updateOne: { filter: {}, update } }]));
    await isTypeRefused(() => Deep.findByIdAndUpdate(ODD, update));
  }
  await isTypeRefused(() =>
    Deep.updateOne({}, { $set: { "subs.$[x].n": 1 } }, { arrayFilters: [{ "x.user": ROUNDED }] }),
  );
});
