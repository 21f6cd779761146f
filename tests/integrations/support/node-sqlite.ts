/** The database that Node 24 brings, with as much of its types as the tests need: those that are installed are of an older Node. */

interface Statement {
  columns(): readonly object[];
  all(...parameters: readonly unknown[]): { id: unknown }[];
  run(...parameters: readonly unknown[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  iterate(...parameters: readonly unknown[]): IterableIterator<unknown>;
}

interface Database {
  exec(text: string): void;
  prepare(text: string): Statement;
  close(): void;
}

export const { DatabaseSync } = process.getBuiltinModule("node:sqlite" as "node:fs") as unknown as {
  DatabaseSync: new (file: string, options?: object) => Database;
};
