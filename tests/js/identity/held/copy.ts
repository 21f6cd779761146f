/** A copy of the package whose identities are held by the holder of this directory. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { root } from "../../support/places.ts";

type Copy = typeof import("graupel") & typeof import("./holder.ts");

/** Builds and loads it; on the core of this process. */
export async function copyWithHolder(): Promise<Copy> {
  const names = new URL("../../../../xtask/lib/names.mjs", import.meta.url).href;
  const { shortNames } = (await import(names)) as { shortNames: Record<string, string> };
  const holder = join(import.meta.dirname, "holder.ts");
  const start = "WebAssembly" in globalThis ? "webassembly.ts" : "javascript.ts";
  const core = join(root, "js", "core", start);
  const directory = mkdtempSync(join(tmpdir(), "graupel-held-"));
  const outfile = join(directory, "copy.mjs");
  try {
    await build({
      stdin: {
        contents: `export * from "./js/index.ts"; export * from ${JSON.stringify(holder)};`,
        resolveDir: root,
      },
      bundle: true,
      format: "esm",
      platform: "node",
      outfile,
      mangleProps: /^\$./,
      mangleCache: { ...shortNames },
      plugins: [
        {
          name: "the holder, and the core",
          setup({ onResolve }) {
            onResolve({ filter: /\/identity\/holder\.js$/ }, ({ importer }) =>
              importer.endsWith("maker.ts") ? { path: holder } : undefined,
            );
            onResolve({ filter: /\/webassembly\.js$/ }, () => ({ path: core }));
          },
        },
      ],
    });
    return (await import(pathToFileURL(outfile).href)) as Copy;
  } finally {
    rmSync(directory, { recursive: true });
  }
}
