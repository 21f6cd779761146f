// A real PostgreSQL inside the process. It stays open for the next command and must not keep the
// process alive.
import { PGlite } from "@electric-sql/pglite";

const db = await PGlite.create();
await db.exec("CREATE TABLE probe (id bigint PRIMARY KEY)");

export default async (id) => {
  await db.query("INSERT INTO probe VALUES ($1) ON CONFLICT DO NOTHING", [id]);
  return (await db.query("SELECT id FROM probe WHERE id = $1", [id])).rows[0]?.id;
};
