/** Sequelize's ID attributes in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { DataTypes, Op, Sequelize } from "sequelize";
import { isRefused, ODD, orders } from "../support/rows.ts";
import { useMariadb } from "../support/servers.ts";
import { type Any, behaves, key, table } from "./common.ts";

const server = useMariadb(() => db()?.close());
const options = async () => {
  await server.started;
  return { dialect: "mysql", ...server.orm } as const;
};
const db = behaves(options, false);

test("without the attribute, a row has its ID as a BigInt when it is made, and as text when it is read", async () => {
  const alone = table(db(), "alone", { id: { type: DataTypes.BIGINT, primaryKey: true } });
  await alone.sync();
  assert.equal((await alone.create({ id: ODD })).get("id"), ODD);
  assert.equal((await alone.findOne())?.get("id"), `${ODD}`);
});

test("updateOnDuplicate by another column than the ID: the object has an ID that no row has", async () => {
  let last = ODD;
  const id = key(orders, { next: () => ++last });
  const name = { type: DataTypes.STRING, unique: true };
  const named = table(db(), "named", { id, name, note: DataTypes.STRING });
  await named.sync();
  for (const note of ["a", "b"]) {
    const [row] = await named.bulkCreate([{ name: "x", note }], { updateOnDuplicate: ["note"] });
    assert.equal(row?.get("id"), last);
  }
  const found = (await named.findAll()).map((row: Any) => row.get());
  assert.deepEqual(found, [{ id: ODD + 1n, name: "x", note: "b" }]);
});

test("patterns are sent as they are", async () => {
  const Page = table(db(), "page", { id: key(orders.text) });
  await Page.sync();
  const rounded = Number(ODD);
  await Page.create({ id: `${BigInt(rounded)}` });
  for (const operator of [Op.startsWith, Op.endsWith, Op.substring]) {
    assert.equal(await Page.count({ where: { id: { [operator]: `${BigInt(rounded)}` } } }), 1);
  }
  const time = Number(orders.inspect(ODD).time);
  const { min, max } = orders.text.range(time, time + 1);
  assert.equal(await Page.count({ where: { id: { [Op.between]: [min, max] } } }), 1);
});

test("of an ID below 2^53 mysql2 gives a number, which conditions of the row do not take", async () => {
  const Young = table(db(), "young", { id: key(orders.text) });
  await Young.sync();
  await Young.create({ id: "4194304" });
  const row = await Young.findOne({ rejectOnEmpty: true });
  for (const call of [() => row.reload(), () => row.destroy()]) {
    await assert.rejects(async () => call(), isRefused("TYPE"));
  }
  assert.equal(await Young.destroy({ where: { id: row.get("id") as string } }), 1);
});

test("without the setting, what mysql2 rounds is refused", async () => {
  const dialectOptions = { supportBigNumbers: false };
  const rounding = new Sequelize({ ...(await options()), dialectOptions, logging: false });
  try {
    const row = await table(rounding, "user", { id: key(orders) }).findOne();
    assert.ok(row);
    assert.throws(() => row.get("id"), isRefused("TYPE"));
  } finally {
    await rounding.close();
  }
});
