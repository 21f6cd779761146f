/** Sequelize's ID attributes in PostgreSQL. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { nanoflake, sno, twitter } from "graupel";
import { DataTypes, Op } from "sequelize";
import { runGuide } from "../support/guide.ts";
import { isRefused, ODD, pluck, refuses } from "../support/rows.ts";
import { usePostgres } from "../support/servers.ts";
import { type Any, behaves, key, table } from "./common.ts";

const server = usePostgres(() => db()?.close());
const db = behaves(async () => {
  await server.started;
  return { dialect: "postgres", ...server.orm } as const;
}, true);

test("`Op.any` and `Op.all` check the IDs of their lists, and so does a condition of an association", async () => {
  const [text, rounded] = [`${ODD}`, Number(ODD)];
  const other = `${BigInt(rounded)}`;
  const id = key(twitter.text, twitter.text.generator({ datacenterId: 1, workerId: 7 }));
  const Reader = table(db(), "reader", { id, name: DataTypes.TEXT });
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
  const Log = table(db(), "log", { id: key(sno, sno) });
  await Log.sync();
  const log = await Log.create();
  assert.equal(await Log.count({ where: { id: { [Op.any]: [log.id] } } }), 1);
});

const old = nanoflake({ epoch: 0 });
for (const [name, format] of Object.entries({ texts: old.text, bigints: old }) as Any) {
  test(`a Nanoflake whose text has only digits is not read as the database's integer: ${name}`, async () => {
    // One text in five million consists only of digits.
    const digits = "123456789012";
    const next = () => (name === "texts" ? digits : format.parse(digits));
    const Digits = table(db(), `digits_${name}`, { id: key(format, { next }), note: DataTypes.TEXT });
    await Digits.sync();
    assert.equal((await Digits.create()).id, next());
    const found = await Digits.findOne();
    assert.equal(found.id, next());
    await found.update({ note: "found" });
    assert.equal((await Digits.findByPk(format.toBigInt(digits))).note, "found");
    await assert.rejects(async () => Digits.findByPk(digits), isRefused("TYPE"));
    await found.destroy();
    assert.equal(await Digits.count(), 0);
  });
}

test("the guide's program", async () => {
  const { env } = await server.create("guide");
  await runGuide("sequelize.md", "postgres", { env, lines: 4 });
});
