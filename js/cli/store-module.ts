/** The user's module that exports a store of leases: imported, checked, and closed in the end. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { LeaseStore } from "../lease/types.js";
import { quote } from "./arguments.js";

/** What a module may export. But for the store they are options of a lease, under the same names. */
export interface StoreModule {
  readonly default: LeaseStore;
  readonly namespace?: unknown;
  readonly format?: unknown;
  readonly ttlMs?: unknown;
  readonly quarantineMs?: unknown;
  /** Closes what the module has opened. */
  readonly close?: () => unknown;
}

/** How long a module, and each call of its store, may take, in milliseconds. */
const PATIENCE_MS = 10_000;

/** How long what the module has left open may keep the process after the end, in milliseconds. */
const GRACE_MS = 100;

/** What a promise comes to. Errors: one that says who was waited for, after `PATIENCE_MS`. */
export async function answerOf<T>(who: string, promise: T | PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${who}: no answer within ${PATIENCE_MS} ms`)), PATIENCE_MS);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Imports a module, and works with what it exports. */
export async function withModule<T>(path: string, work: (module: StoreModule) => Promise<T>): Promise<T> {
  try {
    const module = await imported(path);
    try {
      return await work(module);
    } finally {
      if (typeof module.close === "function") await answerOf(`close of ${path}`, module.close());
    }
  } finally {
    // An open client would keep the process. By then `main` has written everything, and set the exit status.
    setTimeout(() => process.exit(), GRACE_MS).unref();
  }
}

async function imported(path: string): Promise<StoreModule> {
  const file = resolve(path);
  if (!existsSync(file)) throw new Error(`there is no module ${quote(path)}`);
  const namespace = (await answerOf(path, import(pathToFileURL(file).href))) as StoreModule;
  // A program in CommonJS whose source had an `export default`.
  const inner = Object(namespace.default) as Partial<StoreModule> & { readonly __esModule?: boolean };
  const module = inner.__esModule ? (inner as StoreModule) : namespace;
  const calls = ["acquire", "renew", "release"] as const;
  if (!calls.every((name) => typeof Object(module.default)[name] === "function")) {
    throw new Error(`${path}: its default export is no store of leases, such as redis(client)`);
  }
  return module;
}
