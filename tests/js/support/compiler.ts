// TypeScript's compilers. Loaded with `require`, because `import` would make Node scan the whole of
// these large files for export names.

import { createRequire } from "node:module";
import type typescript from "typescript";

const load = createRequire(import.meta.url);

export type Compiler = typeof typescript;

/** The version that the repository uses, or the oldest version that the package supports. */
export const compiler = (name: "typescript" | "typescript-5.0"): Compiler => load(name);
