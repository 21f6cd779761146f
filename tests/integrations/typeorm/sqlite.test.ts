/** TypeORM's ID columns in SQLite, through `better-sqlite3`. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { IdSubscriber, idColumn } from "graupel/typeorm";
import { BeforeInsert, Column, DataSource, Entity, EntitySchema, PrimaryColumn } from "typeorm";
import { exactIntegers as prepareDatabase } from "../support/guide.ts";
import { isRefused, ODD, orders } from "../support/rows.ts";
import { behaves, Many, within } from "./common.ts";
import { relates } from "./relations.ts";

const directory = mkdtempSync(join(tmpdir(), "graupel-typeorm-"));
const file = { type: "better-sqlite3", database: join(directory, "rows.db") } as const;
const memory = { type: "better-sqlite3", database: ":memory:", prepareDatabase } as const;

const db = behaves(async () => ({ ...file, prepareDatabase }));
relates(async () => memory);
after(async () => {
  await db()?.destroy();
  rmSync(directory, { recursive: true, force: true });
});

test("without the setting, an ID that better-sqlite3 has rounded is rejected", () =>
  within({ ...file, entities: [Many] }, (rounding) =>
    assert.rejects(rounding.getRepository(Many).find(), isRefused("TYPE")),
  ));

test("integers of other columns are numbers, rows can be cached, and other keys are generated", async () => {
  const count = { id: { primary: true, ...idColumn(orders.text) }, count: { type: "integer" } } as const;
  const Counts = new EntitySchema<{ id: string; count: number }>({ name: "counts", columns: count });
  const id = { type: "integer", primary: true, generated: "increment" } as const;
  const Serials = new EntitySchema<{ id: number }>({ name: "serials", columns: { id } });
  const own = { ...memory, entities: [Counts, Serials], synchronize: true, cache: true };
  await within(own, async (source) => {
    const row = { id: `${ODD}`, count: 5 };
    const counts = source.getRepository(Counts);
    await counts.insert(row);
    for (let i = 0; i < 2; i++) assert.deepEqual(await counts.find({ cache: true }), [row]);
    assert.equal((await source.getRepository(Serials).save({})).id, 1);
  });
});

test("@BeforeInsert runs before the subscriber, which keeps an ID that it makes", async () => {
  const seen: unknown[] = [];
  const ids = orders.text.generator({ worker: 1 });
  class Note {
    id?: string;
    hasOwn?: boolean;
    check() {
      seen.push(this.id);
      if (this.hasOwn) this.id ??= ids.next();
      seen.push(typeof this.id);
    }
  }
  PrimaryColumn(idColumn(orders.text, ids))(Note.prototype, "id");
  Column({ type: "boolean" })(Note.prototype, "hasOwn");
  BeforeInsert()(Note.prototype, "check");
  Entity()(Note);
  const options = { ...memory, entities: [Note], subscribers: [IdSubscriber], synchronize: true };
  await within(options, async (source) => {
    const notes = source.getRepository(Note);
    const [own, made] = await notes.save([notes.create({ hasOwn: true }), notes.create({ hasOwn: false })]);
    assert.deepEqual(seen, [undefined, "string", undefined, "undefined"]);
    assert.equal(await notes.countBy([{ id: own?.id as string }, { id: made?.id as string }]), 2);
  });
});

test("a DataSource that is initialized again checks parameters only once", async () => {
  const source = new DataSource({ ...memory, entities: [Many], synchronize: true });
  const counts: number[] = [];
  for (let i = 0; i < 3; i++) {
    await source.initialize();
    const looks: object[] = [];
    const ownKeys = (parameters: object) => {
      looks.push(parameters);
      return [];
    };
    const driver = source.driver as { escapeQueryWithParameters(...given: unknown[]): unknown };
    driver.escapeQueryWithParameters("SELECT 1", new Proxy({}, { ownKeys }), {});
    counts.push(looks.length);
    const many = source.getRepository(Many).createQueryBuilder("m");
    await assert.rejects(many.where("m.id = :id", { id: Number(ODD) }).getMany(), isRefused("TYPE"));
    await source.destroy();
  }
  assert.deepEqual(counts, [counts[0], counts[0], counts[0]]);
});
