// The frameworks' projects. Each is built for production once. Its server listens on the loopback
// interface while a row queries it. frameworks/package.json pins the versions.

import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { output } from "../../support/run.mjs";
import { nodeOf } from "../hosts/runtimes.mjs";
import { answers, served } from "./browser.mjs";
import { frameworks, here, installed } from "./places.mjs";
import { folder, versionOf } from "./project.mjs";
import { installIn } from "./tools.mjs";

/** Disables telemetry, prompts and update checks. */
const QUIET = {
  ASTRO_TELEMETRY_DISABLED: "1",
  CI: "1",
  DO_NOT_TRACK: "1",
  EXPO_NO_TELEMETRY: "1",
  EXPO_OFFLINE: "1",
  NG_CLI_ANALYTICS: "false",
  NODE_ENV: "production",
  NUXT_TELEMETRY_DISABLED: "1",
};

/** A file in a framework's package. */
export const inRoom = (...path) => join(frameworks, "node_modules", ...path);

/**
 * The settings of a framework's project: the files in a folder of frameworks/, as the framework's
 * own tools write them.
 */
export function settingsIn(name) {
  const directory = join(here, "frameworks", name);
  return Object.fromEntries(
    readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), "utf8")]),
  );
}

/** The types of the checks. */
const TYPES = `interface Result { core: string; passed: number; failed: { name: string; message: string }[] }
export function check(graupel: typeof import("graupel"), core: string): Promise<Result>;
`;

/**
 * Builds a project in the frameworks' workspace. `build`: commands, each a file of a package and
 * its arguments. Resolves to the project's folder, Node, and the environment, which has a separate
 * home folder and a folder for temporary files, where Metro stores its cache.
 */
export async function built(name, { files, build }) {
  await installIn(join(here, "frameworks"), frameworks, { what: "the frameworks" });
  // Most frameworks need a later Node than this project.
  const { program } = await nodeOf("24");
  const at = folder(`../frameworks/rows/${name}`, {
    "package.json": '{ "name": "row", "private": true, "type": "module" }\n',
    "checks.d.mts": TYPES,
    ...files,
  });
  cpSync(installed, at("node_modules", "graupel"), { recursive: true });
  for (const name of ["home", "temporary"]) mkdirSync(at(name));
  const homes = { HOME: at("home"), XDG_CONFIG_HOME: at("home", "config"), TMPDIR: at("temporary") };
  const env = { ...QUIET, ...homes };
  for (const [file, ...args] of build) await output(program, [inRoom(file), ...args], { cwd: at(), env });
  return { at, program, env };
}

/**
 * The rows of a framework with a server. `name`: its package. `id`: its folder. `server`: the
 * arguments for Node, from the project's folder. `ways`: by the way of loading, how the server is
 * queried (a function of `answers`) and the path.
 */
export function rowsOf({ host, name, id = host.toLowerCase().replace(" ", "-"), server, ways, ...project }) {
  let building;
  return Object.entries(ways).map(([how, [way, path]]) => ({
    ...{ host, how, core: "WebAssembly" },
    version: () => versionOf(name, inRoom),
    async run() {
      building ??= built(id, project);
      const { at, program, env } = await building;
      return served(
        program,
        () => server(at),
        { at, env },
        (origin) => answers[way](origin + path, id),
      );
    },
  }));
}
