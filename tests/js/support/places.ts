/** Directories that tests read. */
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
/** Programs that run here find the unpacked package. */
export const testsJs = join(root, "tests", "js");
/** The package as it is published, unpacked. */
export const packageDirectory = join(testsJs, "node_modules", "graupel");
/** The file of an entry of the package, by the conditions of this process: with either core. */
export const fileOf = (entry: string): string => fileURLToPath(import.meta.resolve(entry));
