/** Sequelize's ID attributes: the tests of both databases, and those that only one has. */
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { discord, nanoflake, sno, twitter } from "graupel";
import { prefixed } from "graupel/prefixed";
import { idAttribute } from "graupel/sequelize";
import { snowflakeSI } from "graupel/snowflake-si";
import { textFormat } from "graupel/text-format";
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  Model,
  type NonAttribute,
  Op,
  type Options,
  Sequelize,
} from "sequelize";
import { runGuide } from "../support/guide.ts";
import { holdsIds, ids, isRefused, ODD, orders, pluck, refuses } from "../support/rows.ts";
import { database, testIn, useDatabase } from "../support/servers.ts";

// biome-ignore lint/suspicious/noExplicitAny: associations add methods, and each test has its own attributes
type Any = any;

/** An ID attribute that is a primary key. */
const key = (...given: Parameters<typeof idAttribute>): Any => ({
  ...idAttribute(...given),
  primaryKey: true,
});

/** A model without timestamps. */
const table = (db: Sequelize, name: string, attributes: object): Any =>
  db.define(name, attributes as never, { timestamps: false });

const source = ids();
const texts = { next: () => orders.format(source.next()) };

class Many extends Model<InferAttributes<Many>, InferCreationAttributes<Many>> {
  declare id: CreationOptional<bigint>;
  declare note: string;
}
class User extends Model<InferAttributes<User>, InferCreationAttributes<User>> {
  declare id: CreationOptional<bigint>;
  declare name: string;
  declare score: CreationOptional<number>;
  declare posts?: NonAttribute<Post[]>;
  declare setPosts: (posts: Post[]) => Promise<void>;
}
class Post extends Model<InferAttributes<Post>, InferCreationAttributes<Post>> {
  declare id: CreationOptional<string>;
  declare title: string;
  declare replyTo: CreationOptional<bigint | null>;
  declare authorId: CreationOptional<bigint | null>;
  declare getAuthor: () => Promise<User>;
}
/** A tagged model with keys as texts. */
type Tagged = Model & {
  setTags(tags: Model[]): Promise<void>;
  addTag(tag: Model): Promise<void>;
  hasTag(tag: Model): Promise<boolean>;
};

const server = useDatabase(() => db?.close());
const optionsOf = (more: Options = {}): Options => ({
  dialect: database as "postgres",
  ...server.orm,
  ...more,
});

let db: Sequelize;
const statements: string[] = [];
/** The statements of a call that change rows. */
const changes = async (call: () => Promise<unknown>) => {
  statements.length = 0;
  await call();
  return statements.filter((text) => /: (INSERT|UPDATE|DELETE)/.test(text));
};
let tagged: { owner: { create(): Promise<Tagged> }; tag: { create(): Promise<Model> } };
before(async () => {
  await server.started;
  db = new Sequelize(optionsOf({ logging: (text) => void statements.push(text) }));
  const options = { sequelize: db, timestamps: false };
  Many.init({ id: key(orders, source), note: DataTypes.STRING }, { ...options, tableName: "many" });
  const users = {
    id: key(orders, source),
    name: { type: DataTypes.STRING, unique: true },
    score: { type: DataTypes.INTEGER, defaultValue: 0 },
  };
  const only = (id: unknown) => ({ where: { id: id as bigint } });
  User.init(users, { ...options, modelName: "user", scopes: { only } });
  const references = { replyTo: idAttribute(discord), authorId: idAttribute(orders) };
  Post.init({ id: key(sno, sno), title: DataTypes.STRING, ...references }, { ...options, modelName: "post" });
  User.hasMany(Post, { as: "posts", foreignKey: "authorId" });
  Post.belongsTo(User, { as: "author", foreignKey: "authorId" });
  const [owner, tag] = ["owner", "tag"].map((name) => table(db, name, { id: key(orders.text, texts) }));
  owner.belongsToMany(tag, { through: "owner_tags", as: "tags" });
  tagged = { owner, tag };
  await db.sync();
});

holdsIds(() => {
  const rows = async (where: Any = {}) => {
    const found = await Many.findAll({ where, order: ["id"] });
    return found.map((row) => row.get());
  };
  return {
    source,
    insert: (rows) => Many.bulkCreate(rows as Any),
    all: () => rows(),
    find: (...id) => rows({ id: id.length === 1 ? id[0] : id }),
    count: (min, max) => Many.count({ where: { id: { [Op.between]: [min, max] } } }),
    rename: (id, note) => Many.update({ note }, { where: { id } }),
    remove: (...id) => Many.destroy({ where: { id } }),
  };
});

describe("rows", () => {
  test("have the same IDs when they are created and when they are read", async () => {
    const ada = await User.create({ name: "Ada" });
    assert.equal(typeof ada.id, "bigint");
    const post = await Post.create({ title: "a", authorId: ada.id, replyTo: ODD });
    assert.equal(post.authorId, ada.id);
    const bo = { name: "Bo", posts: [{ title: "b" }, { title: "c" }] } as never;
    const nested = await User.create(bo, { include: ["posts"] });
    assert.deepEqual(pluck(nested.posts ?? [], "authorId"), [nested.id, nested.id]);
    assert.equal(User.build({ name: "no row" }).isNewRecord, true);

    for (const id of [ada.id, `${ada.id}` as never]) {
      const found = await User.findByPk(id, { include: ["posts"] });
      assert.equal(found?.id, ada.id);
      const inside = found?.posts?.map((one) => one.get());
      assert.deepEqual(inside, [{ id: post.id, title: "a", replyTo: ODD, authorId: ada.id }]);
    }
    const include = [{ association: "posts", separate: true }];
    const separate = await User.findAll({ include, order: ["id"] });
    assert.deepEqual([separate.length, separate[0]?.posts?.length, separate[1]?.posts?.length], [2, 1, 2]);
    const [limited] = await User.findAll({ include: ["posts"], limit: 1, order: [["id", "DESC"]] });
    assert.deepEqual([limited?.id, limited?.posts?.length], [nested.id, 2]);
    assert.equal((await post.getAuthor()).id, ada.id);
    await nested.setPosts([post]);
    await post.reload();
    assert.equal(post.authorId, nested.id);
  });

  test("setting the same ID as text changes nothing", async () => {
    const post = await Post.findOne({ where: { title: "a" }, rejectOnEmpty: true });
    post.set({ authorId: `${post.authorId}` as never, replyTo: ODD });
    assert.equal(post.changed(), false);
    assert.deepEqual(await changes(() => post.save()), []);
    post.replyTo = null;
    assert.equal((await changes(() => post.save())).length, 1);
    assert.equal((await Post.findByPk(post.id))?.replyTo, null);
  });

  test("bulkCreate, findOrCreate and upsert keep a given ID, or generate one", async () => {
    const undefinedId = { name: "b3", id: undefined as never };
    const rows = await User.bulkCreate([{ name: "b1" }, { name: "b2", id: ODD }, undefinedId]);
    assert.equal(await User.count({ where: { id: rows.map(({ id }) => id) } }), 3);
    const [made, isNew] = await User.findOrCreate({ where: { name: "f" } });
    const [found, isNewAgain] = await User.findOrCreate({ where: { name: "f" } });
    assert.deepEqual([isNew, isNewAgain, found.id], [true, false, made.id]);
    const [byKey] = await User.upsert({ id: ODD, name: "b2!" });
    assert.deepEqual([byKey.id, (await User.findByPk(ODD))?.name], [ODD, "b2!"]);
    const [byName] = await User.upsert({ name: "b2!" });
    // MariaDB does not return the ID of a row that it finds by another column.
    assert.equal(byName.id === ODD, database === "postgres");
    assert.equal((await User.findOne({ where: { name: "b2!" } }))?.id, ODD);
  });
});

test("operators accept texts, and can be nested", async () => {
  const [a, b, c] = [ODD + 10n, ODD + 11n, ODD + 12n] as const;
  await User.bulkCreate([a, b, c].map((id) => ({ id, name: `n${id}` })));
  for (const [id, wanted] of [
    [{ [Op.between]: [`${b}`, `${c}`] }, [b, c]],
    [{ [Op.gt]: a, [Op.lt]: c }, [b]],
    [{ [Op.or]: [a, { [Op.gte]: c, [Op.lte]: `${c}` }] }, [a, c]],
    [{ [Op.notIn]: [a, b], [Op.between]: [a, c] }, [c]],
  ] as const)
    assert.deepEqual(pluck(await User.findAll({ where: { id: id as never }, order: ["id"] })), wanted);
  await User.update({ name: literal("concat('n', 1)") as never }, { where: { id: a } });
  assert.equal((await User.findByPk(a))?.name, "n1");
});

test("increment and decrement accept only IDs", async () => {
  const rounded = Number(ODD) as never;
  await User.create({ id: BigInt(rounded), name: "rounded" });
  const only = (id: unknown) => User.scope({ method: ["only", id] });
  for (const method of ["increment", "decrement"] as const) {
    const change = (where: object) => User[method](["score"], { by: 2, where } as never);
    await change({ id: `${ODD}` });
    await change({ [Op.or]: [{ id: [ODD] }, { id: { [Op.between]: [ODD, `${ODD}`] } }] });
    await only(`${ODD}`)[method]("score", { where: {} });
    const row = await User.findByPk(ODD, { rejectOnEmpty: true });
    assert.equal(row.score, method === "increment" ? 5 : 1);
    await assert.rejects(change({ id: rounded }), isRefused("TYPE"));
    await assert.rejects(change({ [Op.and]: [{ id: { [Op.in]: [rounded] } }] }), isRefused("TYPE"));
    await assert.rejects(only(rounded)[method]("score", { where: {} }), isRefused("TYPE"));
    await row[method]("score");
  }
  assert.equal(await User.sum("score"), 0);
});

test("invalid IDs are rejected in rows, references and conditions", async () => {
  const id = Number(ODD) as never;
  const authorId = { [Op.between]: [id, ODD] as [bigint, bigint] };
  await refuses(
    "TYPE",
    () => User.create({ id, name: "no" }),
    () => User.create({ id: {} as never, name: "no" }),
    () => User.findByPk(id),
    () => Post.update({ authorId: id }, { where: { title: "a" } }),
    () => Post.destroy({ where: { authorId } }),
  );
  assert.equal(await User.count({ where: { name: "no" } }), 0);
});

describe("associations", () => {
  test("a `belongsToMany` that is set again does not change, with keys as texts", async () => {
    const owner = await tagged.owner.create();
    const [a, b] = [await tagged.tag.create(), await tagged.tag.create()];
    await owner.setTags([a, b]);
    assert.deepEqual(await changes(() => owner.addTag(a).then(() => owner.setTags([a, b]))), []);
    assert.equal(await owner.hasTag(a), true);
  });

  const si = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
  const nano = nanoflake({ epoch: Date.UTC(2024, 0, 1) });
  const prefixes = textFormat(orders, prefixed(orders, "usr_"));
  for (const [name, format, generator] of [
    ["Snowflakes", orders, source],
    ["Snowflakes as texts", orders.text, texts],
    ["texts with a prefix", prefixes, prefixes.generator({ worker: 9 })],
    ["numbers", si, si.generator({ machineId: 1 })],
    ["numbers as texts", si.text, si.text.generator({ machineId: 1 })],
    ["Nanoflakes", nano, nano.generator({ generatorId: 1 })],
    ["Nanoflakes as texts", nano.text, nano.text.generator({ generatorId: 1 })],
  ] as Any[]) {
    test(`a created row and a read row keep a link that is set again: ${name}`, async () => {
      const id = key(format, generator);
      const named = name.replaceAll(" ", "_");
      const Owner = table(db, `${named}_owner`, { id });
      const attributes = { id, ownerId: idAttribute(format), note: DataTypes.STRING };
      const Part = table(db, `${named}_part`, attributes);
      Owner.hasOne(Part, { as: "part", foreignKey: "ownerId" });
      Owner.hasMany(Part, { as: "parts", foreignKey: "ownerId" });
      await db.sync();
      const owner = await Owner.create();
      const made = await owner.createPart();
      const read = async () => Part.findByPk(made.id);
      for (const part of [made, await read()]) {
        assert.equal(part.equals(await read()), true);
        await owner.setPart(part);
        assert.equal((await read()).ownerId, owner.id);
        await part.update({ note: `${part.note}!` });
        await part.reload();
        assert.equal(await owner.hasPart(part), true);
        await owner.addParts([part]);
        assert.deepEqual(pluck(await owner.getParts(), "ownerId"), [owner.id]);
        const { parts } = await Owner.findByPk(owner.id, { include: ["parts"] });
        assert.deepEqual(pluck(parts), [made.id]);
      }
      const nested = await Owner.create({ part: {} }, { include: ["part"] });
      await nested.setPart(nested.part);
      assert.equal((await nested.getPart()).id, nested.part.id);
      const [one] = await Part.bulkCreate([{ ownerId: owner.id }]);
      await one.destroy();
      await (await read()).destroy();
      assert.equal(await Part.count(), 1);
    });
  }
});

testIn("mysql")("without the setting, an ID that mysql2 has rounded is rejected", async () => {
  const dialectOptions = { supportBigNumbers: false };
  const rounding = new Sequelize(optionsOf({ dialectOptions, logging: false }));
  try {
    const row = await table(rounding, "user", { id: key(orders) }).findOne();
    assert.ok(row);
    assert.throws(() => row.get("id"), isRefused("TYPE"));
  } finally {
    await rounding.close();
  }
});

testIn("postgres")(
  "`Op.any` and `Op.all` check the IDs of their lists, and so does a condition of an association",
  async () => {
    const [text, rounded] = [`${ODD}`, Number(ODD)];
    const other = `${BigInt(rounded)}`;
    const id = key(twitter.text, twitter.text.generator({ datacenterId: 1, workerId: 7 }));
    const Reader = table(db, "reader", { id, name: DataTypes.TEXT });
    Reader.hasMany(Reader, { as: "friends", foreignKey: "friend", constraints: false });
    await Reader.sync();
    await Reader.bulkCreate([
      { id: text, name: "right" },
      { id: other, name: "other" },
    ]);
    const found = async (id: Any) => pluck(await Reader.findAll({ where: { id }, order: ["name"] }), "name");
    assert.deepEqual(await found({ [Op.any]: [text, null, other] }), ["other", "right"]);
    assert.deepEqual(await found({ [Op.eq]: { [Op.any]: [ODD] } }), ["right"]);
    assert.deepEqual(await found({ [Op.ne]: { [Op.all]: [text] } }), ["other"]);
    assert.deepEqual(await found({ [Op.any]: [] }), []);
    const include = { association: "friends", where: { id: rounded } };
    await refuses(
      "TYPE",
      () => found({ [Op.any]: [text, rounded] }),
      () => found({ [Op.ne]: { [Op.all]: [rounded] } }),
      () => found({ [Op.between]: [rounded, text] }),
      () => Reader.findAll({ include }),
    );
    const Log = table(db, "log", { id: key(sno, sno) });
    await Log.sync();
    const log = await Log.create();
    assert.equal(await Log.count({ where: { id: { [Op.any]: [log.id] } } }), 1);
  },
);

const old = nanoflake({ epoch: 0 });
for (const [name, format] of Object.entries({ texts: old.text, bigints: old }) as Any) {
  testIn("postgres")(
    `a Nanoflake whose text has only digits is not read as the database's integer: ${name}`,
    async () => {
      // One text in five million consists only of digits.
      const digits = "123456789012";
      const next = () => (name === "texts" ? digits : format.parse(digits));
      const Digits = table(db, `digits_${name}`, { id: key(format, { next }), note: DataTypes.TEXT });
      await Digits.sync();
      assert.equal((await Digits.create()).id, next());
      const found = await Digits.findOne();
      assert.equal(found.id, next());
      await found.update({ note: "found" });
      assert.equal((await Digits.findByPk(format.toBigInt(digits))).note, "found");
      await assert.rejects(async () => Digits.findByPk(digits), isRefused("TYPE"));
      await found.destroy();
      assert.equal(await Digits.count(), 0);
    },
  );
}

testIn("postgres")("the guide's program", async () => {
  const { env } = await server.create("guide");
  await runGuide("sequelize.md", "postgres", { env, lines: 4 });
});
