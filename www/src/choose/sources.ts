/**
 * The sources of each process's number: a number that the user assigns, or a lease from a store.
 */

/** A store's description, and the code that creates the store. */
interface Store {
  readonly title: string;
  /** The entry of the package below graupel/lease. It exports a function of the same name. */
  readonly entry: string;
  readonly code: string;
  readonly says: string;
}

const FORGETFUL =
  "A server that takes over may lack the last writes, so each start waits 20 seconds. If a single server syncs each write, declare it durable: starts then do not wait.";
const TABLE = "It needs a table, which createTable() creates.";

/** The stores, by the answer that selects them. */
export const STORES: Readonly<Record<string, Store>> = {
  redis: { title: "Redis or Valkey", entry: "redis", code: "redis(client)", says: FORGETFUL },
  postgres: { title: "PostgreSQL", entry: "postgres", code: "postgres(pool)", says: `${TABLE} ${FORGETFUL}` },
  mysql: { title: "MariaDB or MySQL", entry: "mysql", code: "mysql(pool)", says: `${TABLE} ${FORGETFUL}` },
  etcd: {
    title: "etcd",
    entry: "etcd",
    code: 'etcd({ url: "http://etcd:2379" })',
    says: "It loses no writes, so only the very first start waits.",
  },
  sqlite: {
    title: "A disk: all processes run on one host",
    entry: "sqlite",
    code: 'sqlite(database, { reach: "alone" })',
    says: "The numbers are unique only on this host, so no other host may generate such IDs.",
  },
};

/** The source of the numbers. */
export interface Source {
  /**
   * The code that creates `ids`. `given`: the options with the numbers. `shared`: the options that
   * all processes have in common.
   */
  code(format: string, given: string, shared?: string): string;
  /** Notes on the numbers, for the reader. */
  readonly says: readonly string[];
  /** Additional imports. */
  readonly imports: readonly string[];
  /** Whether processes lease their numbers. */
  readonly isLease: boolean;
}

export const GIVEN: Source = {
  code: (format, given) => `const ids = ${format}.generator({ ${given} });`,
  says: ["Processes that work at the same time need different numbers."],
  imports: [],
  isLease: false,
};

/** Leases numbers from the store that an answer selects. */
export function leasedFrom(answer: string): Source {
  const { entry, code, says } = STORES[answer] as Store;
  return {
    code(format, _, shared) {
      const fixed = shared === undefined ? "" : `, fixed: { ${shared} }`;
      return [
        `const format = ${format};`,
        `const worker = await lease(${code}, { format, namespace: "orders"${fixed} });`,
        "const ids = format.generator({ lease: worker });",
      ].join("\n");
    },
    says: [
      "A lease gives each process a number that no other process has at the same time, and takes it back when the process ends.",
      says,
    ],
    imports: ['import { lease } from "graupel/lease";', `import { ${entry} } from "graupel/lease/${entry}";`],
    isLease: true,
  };
}
