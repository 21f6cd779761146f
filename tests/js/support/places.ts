/** Directories and files that tests read. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The root of the repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
/** Programs that run in this directory can import the unpacked package. */
export const testsJs = join(root, "tests", "js");
/** The unpacked package, as published. */
export const packageDirectory = join(testsJs, "node_modules", "graupel");
/** The file of a package entry under the export conditions of this process, for either core. */
export const fileOf = (entry: string): string => fileURLToPath(import.meta.resolve(entry));

/** The files of an entry: the ES module, the CommonJS module and their declarations. */
export interface EntryFiles {
  readonly module: string;
  readonly commonJs: string;
  readonly types: string;
}

/**
 * The entries of an installed package, by name. A pattern in `exports` stands for every file that
 * it matches.
 */
export function entriesOf(directory: string): ReadonlyMap<string, EntryFiles> {
  const { exports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    exports: Record<string, string | null | { require: string | { default: string }; default: string }>;
  };
  const found = new Map<string, EntryFiles>();
  for (const [path, to] of Object.entries(exports)) {
    if (to === null || typeof to === "string") continue;
    const required = typeof to.require === "string" ? to.require : to.require.default;
    const names = path.includes("*")
      ? readdirSync(join(directory, dirname(to.default)))
          .filter((file) => file.endsWith(".js"))
          .map((file) => basename(file, ".js"))
      : [""];
    for (const name of names) {
      const entry = path.replace("*", name);
      if (entry !== path && entry in exports) continue;
      const [module, commonJs] = [to.default.replace("*", name), required.replace("*", name)];
      found.set(join("graupel", entry), { module, commonJs, types: commonJs.replace(/cjs$/, "d.cts") });
    }
  }
  return found;
}
