/** Imports, checks and closes the user's module. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { quote } from "./arguments.js";

/** The exports that every module may have. */
export interface UserModule {
  readonly default: unknown;
  /** The format of the IDs. */
  readonly format?: unknown;
  /** Closes everything that the module has opened. */
  readonly close?: () => unknown;
}

/** What a command requires of the default export. */
export interface Requirement {
  readonly is: (value: unknown) => boolean;
  /** The required value, in words. */
  readonly what: string;
}

/** How long the import, and each call of an export, may take, in milliseconds. */
const PATIENCE_MS = 10_000;

/** How long open handles of the module may keep the process alive at the end, in milliseconds. */
const GRACE_MS = 100;

/** The value of a promise. Throws after `PATIENCE_MS`; `who` names the function in the error. */
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

/** Imports a module and calls `work` with its exports. */
export async function withModule<Module extends UserModule, T>(
  path: string,
  wanted: Requirement,
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
    // An open client would keep the process alive. By then, `main` has written everything and set
    // the exit status.
    setTimeout(() => process.exit(), GRACE_MS).unref();
  }
}

async function imported<Module extends UserModule>(path: string, { is, what }: Requirement): Promise<Module> {
  const file = resolve(path);
  if (!existsSync(file)) throw new Error(`there is no module ${quote(path)}`);
  const namespace = (await answerOf(path, import(pathToFileURL(file).href))) as Module;
  // A CommonJS module that was compiled from `export default`.
  const inner = Object(namespace.default) as Module & { readonly __esModule?: boolean };
  const module = inner.__esModule ? inner : namespace;
  if (!is(module.default)) throw new Error(`${path}: its default export is not a ${what}`);
  return module;
}
