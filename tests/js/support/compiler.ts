// TypeScript's compilers. Required: before Node imports such a large file, it searches all of it for the names of its exports.

import { createRequire } from "node:module";
import type typescript from "typescript";

const load = createRequire(import.meta.url);

export type Compiler = typeof typescript;

/** The version that the repository uses, or the oldest one that the package supports. */
export const compiler = (name: "typescript" | "typescript-5.0"): Compiler => load(name);
