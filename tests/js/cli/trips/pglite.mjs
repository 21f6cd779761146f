// A real PostgreSQL, inside the process.
import { PGlite } from "@electric-sql/pglite";

const db = await PGlite.create();
await db.exec("CREATE TABLE probe (id bigint PRIMARY KEY)");

export default async (id) => {
  await db.query("INSERT INTO probe VALUES ($1)", [id]);
  return (await db.query("SELECT id FROM probe WHERE id = $1", [id])).rows[0]?.id;
};
export const close = () => db.close();
