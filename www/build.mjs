// `node www/build.mjs`: writes the site to target/www, as static files for any host and any path.
//
//     npm run site           builds it, and serves it on the loopback interface

import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../xtask/build.mjs";
import { fromRoot, run, runAsProgram, targetDir, tool } from "../xtask/lib/process.mjs";
import { say, step } from "../xtask/lib/progress.mjs";
import { packInto, unpackInto } from "../xtask/lib/tarball.mjs";
import { setup } from "../xtask/setup.mjs";
import { serveSite } from "./serve.mjs";

const here = fromRoot("www");

/** The output directory of the site. */
export const site = join(targetDir, "www");

/** Builds the site and everything that it depends on. */
export async function buildSite() {
  await setup("www");
  await build();
  // Install the packed package, as a user would.
  await unpackInto(join(here, "node_modules", "graupel"), await packInto(join(targetDir, "www-pack")));
  await step("check the types of the pages", () => run(tool("typescript/bin/tsc"), ["--project", here]));
  await step("bundle the pages (Vite)", async () => {
    const vite = await import("vite");
    await vite.build({ configFile: join(here, "vite.config.mjs"), logLevel: "warn" });
  });
  await step("make the reference (typedoc)", () => run(tool("typedoc/bin/typedoc"), ["--logLevel", "Warn"]));
  const { finish } = await import("./site/finish.mjs");
  await step("write the documentation, and the list of files for the service worker", () => finish(site));
}

async function main() {
  const { values } = parseArgs({ options: { serve: { type: "boolean" }, port: { type: "string" } } });
  await buildSite();
  if (!values.serve) {
    say(`\n${site}`);
    return 0;
  }
  const { address } = await serveSite(site, Number(values.port ?? 4173));
  say(`\n${address}`);
  return undefined;
}

await runAsProgram(import.meta.url, main);
