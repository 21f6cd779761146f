/**
 * The list "What is not checked" in www/docs/typeorm.md. Each gap exists, and the page's
 * alternative works.
 */
import assert from "node:assert/strict";
import type { AnyFormat } from "graupel";
import { IdSubscriber, idColumn } from "graupel/typeorm";
import { type DataSource, EntitySchema, Equal, In, Raw } from "typeorm";
import { isRefused, ODD, pluck } from "../support/rows.ts";
import { within } from "./common.ts";
import type { Any, Tables } from "./tables.ts";

/** The table's rows on related tables. */
export async function isNotChecked(db: DataSource, { users, posts, format }: Tables) {
  const [u, p] = [db.getRepository<Any>(users), db.getRepository<Any>(posts)];
  // `ODD` rounds to the same number in binary and in decimal.
  const right = `${ODD}`;
  const rounded = Number(right);
  const wrong = `${rounded}`;
  await u.save({ id: right });
  await u.delete({ id: wrong });
  await u.insert({ id: wrong, name: "WRONG" });
  const titled = (title: string, id: string) => ({ title, author: { id } });
  await p.save([titled("wrong", wrong), titled("right", right)]);
  const isTyped = async (work: () => Promise<unknown>) => assert.rejects(work, isRefused("TYPE"));

  const found = u.createQueryBuilder("u").where("u.id = :id", { id: right });
  const [sql, parameters] = found.getQueryAndParameters();
  const sent = parameters.length > 0;
  const query = (id: unknown) => db.query(sent ? sql : sql.replace(right, `${id}`), sent ? [id] : []);
  const [raw] = await query(rounded);
  assert.equal(Object.values<Any>(raw).includes("WRONG"), true);
  const [own] = await query(format.parse(right));
  const key = Object.keys(own).find((name) => name.endsWith("_id")) as string;
  assert.notEqual(own[key], undefined);
  assert.equal(format.fromBigInt(BigInt(own[key])), right);

  await u.save({ id: "1", name: "one" });
  assert.equal((await u.createQueryBuilder("u").where("u.id = :id", { id: "01" }).getOne())?.name, "one");
  const one = async () => u.createQueryBuilder("u").where({ id: "01" }).getOne();
  await assert.rejects(one, isRefused("NOT_CANONICAL"));

  assert.deepEqual(pluck(await p.findBy({ author: Equal(rounded) as Any }), "title"), ["wrong"]);
  await isTyped(() => p.findBy({ author: { id: Equal(rounded) } }));
  assert.equal((await p.findBy({ author: { id: Equal(right) } })).length, 1);
  const count = await p.count();
  assert.ok(count > 1);
  assert.equal((await p.findBy({ author: rounded as Any })).length, count);

  assert.equal(typeof (await u.maximum("id")), "number");
  const [largest] = (await u.find()).map(({ id }) => id).sort((a, b) => format.compare(b, a));
  assert.equal((await u.findOneOrFail({ where: {}, order: { id: "DESC" } })).id, largest);

  if (db.options.type === "better-sqlite3") {
    const same = (id: unknown) =>
      u.createQueryBuilder("u").where("COALESCE(u.id, 0) = :id", { id }).getMany();
    assert.deepEqual([(await same(right)).length, (await same(BigInt(right))).length], [0, 1]);
  }

  for (const found of [
    u.createQueryBuilder("u").where(`u.id = ${rounded}`),
    u.createQueryBuilder("u").where({ id: Raw((column) => `${column} = ${rounded}`) }),
    u.createQueryBuilder("u").where("u.id = :orm_id", { orm_id: rounded }),
  ]) {
    assert.equal((await found.getOne())?.name, "WRONG");
  }
  await isTyped(() => u.createQueryBuilder("u").where("u.id = :id", { id: rounded }).getOne());

  const named = async () => (await u.findOneByOrFail({ id: right })).publicId;
  await u.update({ id: right }, { publicId: right });
  await u.increment({ id: right }, "publicId", 1);
  assert.equal(await named(), `${ODD + 1n}`);
  await u.update({ id: right }, { publicId: right });
  assert.equal(await named(), right);
  await isTyped(() => u.update({ id: right }, { publicId: rounded }));
  await isTyped(() => u.increment({ id: rounded }, "publicId", 1));

  await mixes(db, format);

  const lazyOf = async (row: Any) => (await p.findOneByOrFail({ id: (await p.save(row)).id })).lazy;
  assert.equal(await lazyOf({ lazy: { id: right } }), null);
  assert.equal((await lazyOf(Object.assign(p.create(), { lazy: Promise.resolve({ id: right }) }))).id, right);

  const [post] = await p.findBy({ title: "right" });
  const author = async () => {
    const where = { id: post.id };
    return (await p.findOneOrFail({ where, relations: { author: true } })).author.id;
  };
  await p.update({ id: post.id }, { author: () => wrong });
  assert.equal(await author(), wrong);
  await p.update({ id: post.id }, { author: { id: right } });
  assert.equal(await author(), right);
}

/**
 * Inserts many rows with a column that the database generates. After `insert` and `upsert`, TypeORM
 * reads them back in the order of their keys.
 */
async function mixes(db: DataSource, format: AnyFormat): Promise<void> {
  const [a, b, c] = [5n, 3n, 4n].map((n) => `${ODD + n}`);
  let last = ODD + 10n;
  const next = () => `${++last}`;
  const Stock = new EntitySchema<Any>({
    name: "stock",
    columns: {
      id: { primary: true, ...idColumn(format, { next } as never) },
      sku: { type: "varchar", length: 20, unique: true },
      price: { type: "int", default: 7 },
    },
  });
  const options = { ...db.options, entities: [Stock], subscribers: [IdSubscriber], synchronize: true };
  for (const type of db.options.type === "mariadb" ? ["mariadb", "mysql"] : [db.options.type]) {
    await within({ ...options, type }, async (own) => {
      const stock = own.getRepository(Stock);
      const isMixed = /mysql|sqlite/.test(type);
      const rows = () => [a, b, c].map((id) => ({ id, sku: `${id}` }) as Any);
      assert.deepEqual(pluck(await stock.save(rows())), [a, b, c]);
      await stock.clear();
      const given = rows();
      const { identifiers } = await stock.insert(given);
      for (const found of [given, identifiers])
        assert.deepEqual(pluck(found), isMixed ? [b, c, a] : [a, b, c]);

      const skus = [`${a}`, "new", "newer"];
      const changed = skus.map((sku) => ({ sku, price: 9 }) as Any);
      await stock.upsert(changed, ["sku"]);
      const found = await stock.findBy({ sku: In(skus) });
      assert.deepEqual(pluck(found, "price"), [9, 9, 9]);
      const isRight = changed[1].id === found.find(({ sku }) => sku === "new").id;
      assert.equal(isRight, !isMixed);
      await own.query("DROP TABLE stock");
    });
  }
}
