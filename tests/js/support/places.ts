/** Directories that tests read. */
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
/** Programs that run here find the unpacked package. */
export const testsJs = join(root, "tests", "js");
/** The package as it is published, unpacked. */
export const packageDirectory = join(testsJs, "node_modules", "graupel");
/** The file of an entry of the package, by the conditions of this process: with either core. */
export const fileOf = (entry: string): string => fileURLToPath(import.meta.resolve(entry));

/** The files of an entry: the ES module, CommonJS, and what declares both. */
export interface EntryFiles {
  readonly module: string;
  readonly commonJs: string;
  readonly types: string;
}

/** The entries of an installed package by name. A pattern of `exports` stands for each file that it leads to. */
export function entriesOf(directory: string): ReadonlyMap<string, EntryFiles> {
  const { exports } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as {
    exports: Record<string, string | null | { require: string; default: string }>;
  };
  const found = new Map<string, EntryFiles>();
  for (const [path, to] of Object.entries(exports)) {
    if (to === null || typeof to === "string") continue;
    const names = path.includes("*")
      ? readdirSync(join(directory, dirname(to.default)))
          .filter((file) => file.endsWith(".js"))
          .map((file) => basename(file, ".js"))
      : [""];
    for (const name of names) {
      const entry = path.replace("*", name);
      if (entry !== path && entry in exports) continue;
      const [module, commonJs] = [to.default.replace("*", name), to.require.replace("*", name)];
      found.set(join("graupel", entry), { module, commonJs, types: commonJs.replace(/cjs$/, "d.cts") });
    }
  }
  return found;
}
