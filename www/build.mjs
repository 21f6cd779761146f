// `npm run www:build`: writes the site to target/www, as static files for any host and any path.
//
//     npm run www           builds it, and serves it on the loopback interface

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "../xtask/build.mjs";
import { fromRoot, npm, run, runAsProgram, targetDir, tool } from "../xtask/lib/process.mjs";
import { say, step } from "../xtask/lib/progress.mjs";
import { packInto, unpackInto } from "../xtask/lib/tarball.mjs";
import { setup } from "../xtask/setup.mjs";
import { serveSite } from "./serve.mjs";

const here = fromRoot("www");

/** Where the site is written. */
export const site = join(targetDir, "www");

/** Installs what package.json pins, unless the lockfile is the one of the last time; then the package, as a user has it. */
async function install() {
  const lock = readFileSync(join(here, "package-lock.json"), "utf8");
  const record = join(here, "node_modules", ".installed-lock.json");
  if (!existsSync(record) || readFileSync(record, "utf8") !== lock) {
    await step("install what the pages need (npm ci)", async (onLine) => {
      const flags = ["--ignore-scripts", "--no-audit", "--no-fund"];
      await run(npm, ["ci", ...flags], { cwd: here, onLine });
    });
    writeFileSync(record, lock);
  }
  const tarball = await packInto(join(targetDir, "www-pack"));
  await unpackInto(join(here, "node_modules", "graupel"), tarball);
}

/** Builds the site, with everything that it needs. */
export async function buildSite() {
  await setup();
  await build();
  await install();
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
