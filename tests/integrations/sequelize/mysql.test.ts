/** Attributes of Sequelize in MariaDB, through `mysql2`. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { idAttribute } from "graupel/sequelize";
import mysql from "mysql2/promise";
import { DataTypes, Op, Sequelize } from "sequelize";
import { isRefused, ODD, orders } from "../support/rows.ts";
import { startMariadb } from "../support/servers.ts";
import { behaves } from "./common.ts";

let server: Awaited<ReturnType<typeof startMariadb>>;
const options = () => {
  const { host, port, user } = server.options;
  return { dialect: "mysql", host, port, username: user, database: "rows_of_sequelize" } as const;
};
const db = behaves(async () => {
  server = await startMariadb();
  const own = await mysql.createConnection(server.options);
  await own.query("CREATE DATABASE rows_of_sequelize");
  await own.end();
  return options();
}, false);
after(() => server?.stop());

test("without the attribute, a row has its ID as a BigInt when it is made, and as text when it is read", async () => {
  const alone = db().define(
    "alone",
    { id: { type: DataTypes.BIGINT, primaryKey: true } },
    { timestamps: false },
  );
  await alone.sync();
  assert.equal((await alone.create({ id: ODD })).get("id"), ODD);
  assert.equal((await alone.findOne())?.get("id"), `${ODD}`);
});

test("updateOnDuplicate by another column than the ID: the object has an ID that no row has", async () => {
  const key = { ...idAttribute(orders, { next: () => ++last }), primaryKey: true };
  let last = ODD;
  const named = db().define(
    "named",
    { id: key, name: { type: DataTypes.STRING, unique: true }, note: DataTypes.STRING },
    { timestamps: false },
  );
  await named.sync();
  for (const note of ["a", "b"]) {
    const [row] = await named.bulkCreate([{ name: "x", note }], { updateOnDuplicate: ["note"] });
    assert.equal(row?.get("id"), last);
  }
  assert.deepEqual(
    (await named.findAll()).map((row) => row.get()),
    [{ id: ODD + 1n, name: "x", note: "b" }],
  );
});

test("patterns are sent as they are", async () => {
  const key = { ...idAttribute(orders.text), primaryKey: true };
  const Page = db().define("page", { id: key }, { timestamps: false });
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
  const key = { ...idAttribute(orders.text), primaryKey: true };
  const Young = db().define("young", { id: key }, { timestamps: false });
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
  const rounding = new Sequelize({ ...options(), dialectOptions, logging: false });
  try {
    const users = rounding.define(
      "user",
      { id: { ...idAttribute(orders), primaryKey: true } },
      { timestamps: false },
    );
    const row = await users.findOne();
    assert.ok(row);
    assert.throws(() => row.get("id"), isRefused("TYPE"));
  } finally {
    await rounding.close();
  }
});
