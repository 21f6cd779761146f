/** A module of the user's that a command works with: imported, checked, and closed in the end. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { quote } from "./arguments.js";

/** What every module may export. */
export interface UserModule {
  readonly default: unknown;
  /** The format of the IDs. */
  readonly format?: unknown;
  /** Closes what the module has opened. */
  readonly close?: () => unknown;
}

/** What a command asks of the default export. */
export interface Wanted {
  readonly is: (value: unknown) => boolean;
  /** What it must be, in words. */
  readonly what: string;
}

/** How long a module, and each call of what it exports, may take, in milliseconds. */
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
export async function withModule<Module extends UserModule, T>(
  path: string,
  wanted: Wanted,
  work: (module: Module) => Promise<T>,
): Promise<T> {
  try {
    const module = await imported<Module>(path, wanted);
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

async function imported<Module extends UserModule>(path: string, { is, what }: Wanted): Promise<Module> {
  const file = resolve(path);
  if (!existsSync(file)) throw new Error(`there is no module ${quote(path)}`);
  const namespace = (await answerOf(path, import(pathToFileURL(file).href))) as Module;
  // A program in CommonJS whose source had an `export default`.
  const inner = Object(namespace.default) as Module & { readonly __esModule?: boolean };
  const module = inner.__esModule ? inner : namespace;
  if (!is(module.default)) throw new Error(`${path}: its default export is no ${what}`);
  return module;
}
