/**
 * Node 24's built-in database, with the types that the tests need, because the installed types are
 * for an older Node.
 */

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
