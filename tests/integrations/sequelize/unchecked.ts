/**
 * The list "What is not checked" in www/docs/sequelize.md, in PostgreSQL. Each gap exists, and the
 * page's alternative works.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { nanoflake, twitter } from "graupel";
import { idAttribute } from "graupel/sequelize";
import { snowflakeSI } from "graupel/snowflake-si";
import { cast, col, DataTypes, fn, literal, Op, QueryTypes, type Sequelize, where } from "sequelize";
import { testGaps } from "../support/guide.ts";
import { isRefused, ODD, pluck } from "../support/rows.ts";
import { type Any, key, table } from "./common.ts";

const ROUNDED = Number(ODD);
const TEXT = `${ODD}`;
const OTHER = `${BigInt(ROUNDED)}`;
const own = twitter.text.generator({ datacenterId: 1, workerId: 7 });

/** Runs the tests. `opened`: returns the database once it is open. */
export function unchecked(opened: () => Sequelize): void {
  let User: Any;
  let Post: Any;
  const names = (rows: Any[]) => pluck(rows, "name");
  const isTypeRefused = (call: () => Promise<unknown>) => assert.rejects(call, isRefused("TYPE"));

  before(async () => {
    // An attribute refers to its model, so each model needs its own.
    const id = () => key(twitter.text, own);
    User = table(opened(), "reader", {
      id: id(),
      name: { type: DataTypes.TEXT, unique: true },
      data: DataTypes.JSONB,
      note: DataTypes.TEXT,
    });
    const reader = idAttribute(twitter.text);
    Post = table(opened(), "comment", { id: id(), readerId: reader, title: DataTypes.TEXT });
    Post.belongsTo(User, { as: "reader", foreignKey: "readerId", constraints: false });
    await opened().sync();
    const right = { id: TEXT, name: "right", data: { friend: TEXT } };
    await User.bulkCreate([right, { id: OTHER, name: "other" }]);
    const titled = [TEXT, OTHER].map((readerId, i) => ({ readerId, title: i === 0 ? "right" : "other" }));
    await Post.bulkCreate(titled);
  });

  const si = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
  const nano = nanoflake({ epoch: Date.UTC(2024, 0, 1) });
  const OTHERS = [
    ["bigints", twitter, twitter.generator({ datacenterId: 1, workerId: 8 })],
    ["numbers", si, si.generator({ machineId: 1 })],
    ["nanoflakes", nano, nano.generator({ generatorId: 1 })],
    ["nanoflake_texts", nano.text, nano.text.generator({ generatorId: 2 })],
  ] as Any[];
  const linked = (name: string, format: Any, ids: Any): Any => {
    const id = key(format, ids);
    const Page = table(opened(), `${name}_sheet`, { id });
    const Tag = table(opened(), `${name}_label`, { id, ownerId: idAttribute(format) });
    const PageTag = table(opened(), `${name}_sheet_label`, { pageId: key(format), tagId: key(format) });
    Page.belongsToMany(Tag, { as: "tags", through: PageTag, foreignKey: "pageId", otherKey: "tagId" });
    Page.hasMany(Tag, { as: "own", foreignKey: "ownerId" });
    return { Page, Tag, PageTag };
  };

  const GAPS: Record<string, () => Promise<void>> = {
    '`"$user.id$"`': async () => {
      const found = async (options: Any) =>
        pluck(await Post.findAll({ include: ["reader"], ...options }), "title");
      assert.deepEqual(await found({ where: { "$reader.id$": ROUNDED } }), ["other"]);
      const include = (id: unknown) => ({ include: [{ association: "reader", where: { id } }] });
      assert.deepEqual(await found(include(TEXT)), ["right"]);
      await isTypeRefused(() => found(include(ROUNDED)));
    },
    '`where(col("id"), id)`, `where(User.rawAttributes.id, id)`, `fn`, `cast`, `literal`, `replacements`, and a condition on an alias':
      async () => {
        const replacements = { id: ROUNDED };
        const found = async (where: Any) => names(await User.findAll({ where, replacements }));
        for (const unseen of [
          where(col("id"), ROUNDED as Any),
          where(User.rawAttributes.id, ROUNDED as Any),
          { id: { [Op.eq]: cast(ROUNDED, "bigint") } },
          { id: { [Op.eq]: fn("abs", ROUNDED) } },
          literal("id = :id"),
        ]) {
          assert.deepEqual(await found(unseen), ["other"]);
        }
        assert.deepEqual(await found({ id: TEXT }), ["right"]);
        await isTypeRefused(() => found({ id: ROUNDED }));
      },
    "`Op.values`": async () => {
      const found = async (any: Any) => names(await User.findAll({ where: { id: { [Op.any]: any } } }));
      assert.deepEqual(await found({ [Op.values]: [ROUNDED] }), ["other"]);
      assert.deepEqual(await found([TEXT]), ["right"]);
      await isTypeRefused(() => found([TEXT, ROUNDED]));
    },
    "in MySQL and MariaDB, `Op.startsWith`, `Op.endsWith` and `Op.substring`": async () => {
      const found = async (id: Any) => names(await User.findAll({ where: { id } }));
      for (const operator of [Op.startsWith, Op.endsWith, Op.substring]) {
        // PostgreSQL supports patterns for text, but not for integers.
        await assert.rejects(found({ [operator]: ROUNDED }), /operator does not exist/);
      }
      assert.deepEqual(await found({ [Op.between]: [TEXT, TEXT] }), ["right"]);
      await isTypeRefused(() => found({ [Op.between]: [ROUNDED, TEXT] }));
    },
    "`query()`, `getQueryInterface()`": async () => {
      const sql = "SELECT id, name FROM readers WHERE id = :id";
      const found = (id: unknown): Promise<Any[]> =>
        opened().query(sql, { replacements: { id }, type: QueryTypes.SELECT });
      assert.deepEqual(names(await found(ROUNDED)), ["other"]);
      const [row] = await found(twitter.parse(TEXT));
      assert.deepEqual(twitter.fromBigInt(BigInt(row.id)), ODD);
      const readers = { where: { id: ROUNDED } } as Any;
      const raw = await opened().getQueryInterface().select(null, "readers", readers);
      assert.deepEqual(names(raw), ["other"]);
    },
    "`raw: true`, `max()`, `min()`, `dataValues`, `previous()`": async () => {
      const raw = await Post.findOne({ where: { title: "right" }, raw: true });
      const max = await User.max("id");
      assert.deepEqual([raw.readerId, max], [TEXT, TEXT]);
      assert.equal(typeof User.build({}).dataValues.id, "string");
      assert.equal(twitter.fromBigInt(BigInt(max)), ODD);
      const { Page, Tag } = linked("before", twitter, OTHERS[0][2]);
      await Page.sync();
      await Tag.sync();
      await Page.bulkCreate([{ id: ODD }]);
      const tag = await Tag.create({ ownerId: ODD });
      await tag.reload();
      tag.ownerId = ODD + 1n;
      assert.equal(tag.previous("ownerId"), TEXT);
      assert.equal(twitter.fromBigInt(BigInt(tag.previous("ownerId"))), ODD);
    },
    '`max("id", { dataType: DataTypes.BIGINT })`, and other number types': async () => {
      for (const dataType of [DataTypes.BIGINT, DataTypes.INTEGER, DataTypes.FLOAT]) {
        assert.equal(await User.max("id", { dataType }), Number(ODD));
      }
      assert.equal(twitter.fromBigInt(BigInt(await User.max("id"))), ODD);
    },
    "a foreign key that Sequelize adds, and the table of a `belongsToMany`": async () => {
      const db = opened();
      const Like = table(db, "like", { title: DataTypes.TEXT });
      Like.belongsTo(User, { as: "added" });
      Like.belongsTo(User, { as: "named", foreignKey: { name: "namedId", ...idAttribute(twitter) } as Any });
      await Like.sync();
      const like = await Like.create({ addedId: TEXT, namedId: TEXT });
      await like.reload();
      assert.deepEqual([like.addedId, like.namedId], [TEXT, ODD]);
    },
    "an ID inside JSON": async () => {
      const found = async (friend: unknown) => names(await User.findAll({ where: { data: { friend } } }));
      assert.deepEqual(await found(ROUNDED), ["right"]);
      assert.deepEqual(await found(twitter.text.parse(TEXT)), ["right"]);
    },
    "`bulkCreate` with `ignoreDuplicates`": async () => {
      const create = (...made: string[]) => {
        const rows = made.map((name) => ({ name }));
        return User.bulkCreate(rows, { ignoreDuplicates: true });
      };
      const [row] = await create("right");
      assert.equal(await User.findByPk(row.id), null);
      assert.equal((await User.findOne({ where: { name: "right" } })).id, TEXT);
      assert.deepEqual(names(await create("right", "new")), ["new", "new"]);
      await User.destroy({ where: { name: "new" } });
    },
    "in MySQL and MariaDB, `upsert` and `updateOnDuplicate` by a column other than the ID": async () => {
      const [row] = await User.bulkCreate([{ name: "right", note: "n" }], { updateOnDuplicate: ["note"] });
      const [again] = await User.upsert({ name: "right", note: "m" });
      for (const { id } of [row, again]) assert.equal(id, TEXT);
      assert.equal((await User.findOne({ where: { name: "right", note: "m" } })).id, TEXT);
    },
    "`increment()` and `decrement()` of an ID": async () => {
      await Post.increment({ readerId: 1 }, { where: { title: "other" } });
      assert.notEqual((await Post.findOne({ where: { title: "other" } })).readerId, OTHER);
      const set = (readerId: unknown) => Post.update({ readerId }, { where: { title: "other" } });
      await set(OTHER);
      await isTypeRefused(() => set(ROUNDED));
      assert.equal((await Post.findOne({ where: { title: "other" } })).readerId, OTHER);
    },
    "`include` with `separate: true`, with `nanoflake.text`": async () => {
      const format = nanoflake({ epoch: Date.UTC(2024, 0, 1) });
      for (const [name, of] of Object.entries({ text: format.text, bigint: format })) {
        const attributes = { id: key(of, of.generator({ generatorId: 5 }) as Any), parent: idAttribute(of) };
        const Node = table(opened(), `node_${name}`, attributes);
        Node.hasMany(Node, { as: "children", foreignKey: "parent", constraints: false });
        await Node.sync();
        const { id } = await Node.create();
        await Node.bulkCreate([{ parent: id }, { parent: id }]);
        const include = [{ association: "children", separate: true }];
        const { children } = await Node.findByPk(id, { include });
        assert.deepEqual(pluck(children, "parent"), name === "text" ? [undefined] : [id, id]);
      }
    },
    "`set` of a `hasMany`, except with `.text` of a Snowflake": async () => {
      for (const [name, format, ids] of [...OTHERS, ["texts", twitter.text, own]] as Any[]) {
        const { Page: Owner, Tag } = linked(name, format, ids);
        await opened().sync();
        const owner = await Owner.create();
        const rows = [];
        for (let i = 0; i < 20; i++) rows.push(await Tag.create());
        await owner.addOwn(rows);
        assert.equal(await owner.countOwn(), 20);
        const sql: string[] = [];
        await owner.setOwn(rows, { logging: (text: string) => sql.push(text) });
        const isUpdated = sql.some((text) => text.includes("UPDATE"));
        assert.equal(isUpdated, format !== twitter.text);
        await owner.addOwn(rows);
        await owner.removeOwn(rows.slice(1));
        assert.equal(await owner.countOwn(), 1, name);
      }
    },
    "`set`, `add`, `has` of a `belongsToMany`, except with `.text` of a Snowflake": async () => {
      for (const [name, format, ids] of OTHERS) {
        const { Page, Tag, PageTag } = linked(name, format, ids);
        await opened().sync();
        const [page, tag] = [await Page.create(), await Tag.create()];
        const link = { pageId: page.id, tagId: tag.id };
        const add = () => PageTag.bulkCreate([link], { ignoreDuplicates: true });
        await add();
        await add();
        assert.deepEqual([await PageTag.count({ where: link }), await page.countTags()], [1, 1], name);
        await assert.rejects(page.addTag(tag), { name: "SequelizeUniqueConstraintError" }, name);
      }
    },
    "`setDataValue()`, and `set` or `build` with `raw: true`": async () => {
      const user = User.build({});
      user.setDataValue("id", ROUNDED);
      assert.throws(() => user.id, isRefused("TYPE"));
      user.setDataValue("id", 5);
      assert.equal(user.id, "5");
      await isTypeRefused(() => user.save());
      await isTypeRefused(async () => user.set("id", 5));
      const note = async (id: string) => (await User.findByPk(id)).note;
      const built = () => User.build({ id: ROUNDED }, { isNewRecord: false, raw: true });
      await built().update({ note: "updated" });
      assert.equal(await note(OTHER), "updated");
      await Object.assign(built(), { note: "saved" }).save();
      assert.equal(await note(OTHER), "saved");
      const update = (id: unknown) => User.update({ note: "right" }, { where: { id } });
      await update(TEXT);
      assert.deepEqual([await note(TEXT), await note(OTHER)], ["right", "saved"]);
      await isTypeRefused(() => update(ROUNDED));
    },
  };

  testGaps("sequelize.md", GAPS);

  test("lists for `Op.any` and `Op.all`, also of texts", async () => {
    const found = async (id: Any) => names(await User.findAll({ where: { id }, order: ["name"] }));
    assert.deepEqual(await found({ [Op.any]: [TEXT, null, OTHER] }), ["other", "right"]);
    assert.deepEqual(await found({ [Op.eq]: { [Op.any]: [ODD] } }), ["right"]);
    assert.deepEqual(await found({ [Op.ne]: { [Op.all]: [TEXT] } }), ["other"]);
    assert.deepEqual(await found({ [Op.any]: [] }), []);
    await isTypeRefused(() => found({ [Op.ne]: { [Op.all]: [ROUNDED] } }));
    await assert.rejects(found({ [Op.ne]: [TEXT] }), /operator does not exist/);
    const { sno } = await import("graupel");
    const Log = table(opened(), "log", { id: key(sno, sno) });
    await Log.sync();
    const log = await Log.create();
    assert.equal(await Log.count({ where: { id: { [Op.any]: [log.id] } } }), 1);
  });

  const old = nanoflake({ epoch: 0 });
  for (const [name, format] of Object.entries({ texts: old.text, bigints: old }) as Any) {
    test(`a Nanoflake whose text is digits, as others are in the database: ${name}`, async () => {
      // One text in five million consists only of digits.
      const digits = "123456789012";
      const next = () => (name === "texts" ? digits : format.parse(digits));
      const Digits = table(opened(), `digits_${name}`, { id: key(format, { next }), note: DataTypes.TEXT });
      await Digits.sync();
      assert.equal((await Digits.create()).id, next());
      const found = await Digits.findOne();
      assert.equal(found.id, next());
      await found.update({ note: "found" });
      assert.equal((await Digits.findByPk(format.toBigInt(digits))).note, "found");
      await isTypeRefused(() => Digits.findByPk(digits));
      await found.destroy();
      assert.equal(await Digits.count(), 0);
    });
  }
}
