// The rows of a framework: one project, built once for production. Its server listens on the loopback interface while a row
// asks it. package.json pins the versions.

import { cpSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../support/places.mjs";
import { beside, output } from "../../support/run.mjs";
import { nodeOf } from "../hosts/node.mjs";
import { frameworks, here, installed } from "../lib/places.mjs";
import { folder, versionOf } from "../lib/project.mjs";
import { answers } from "../lib/server.mjs";
import { installIn } from "../lib/tools.mjs";

/** The longest that one command of a build may take. */
const SECONDS = 300;

/** Most frameworks need a later Node than this project. */
const LINE = "24";

/** No telemetry, no questions, no look at the network. */
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

/** A home of its own, and a directory for temporary files, where Metro has its cache. */
function environment(at) {
  for (const name of ["home", "temporary"]) mkdirSync(at(name));
  return { ...QUIET, HOME: at("home"), XDG_CONFIG_HOME: at("home", "config"), TMPDIR: at("temporary") };
}

/** A file of a framework's package. */
export const inRoom = (...path) => join(frameworks, "node_modules", ...path);

/** The settings of a framework's project: the files in a folder beside this one, as its own tools write them. */
export function settingsIn(name) {
  const directory = join(here, "frameworks", name);
  return Object.fromEntries(
    readdirSync(directory).map((file) => [file, readFileSync(join(directory, file), "utf8")]),
  );
}

/** What each page and endpoint imports. `up`: the way to the project's root. */
export const imports = (up) => `import * as graupel from "graupel";
import { sno } from "graupel/sno";
import { checked } from "${up}checked.mjs";
`;

/** Code that runs the checks. */
export const runOf = (core) => `checked(graupel, sno, "${core}")`;
export const RUN = runOf("WebAssembly");

/** The checks for a page or an endpoint, with their types. */
const CHECKED = ["checked.mjs", "checked.d.mts"];

/** A project with the package, where the frameworks are found. */
function projectOf(name, files) {
  const at = folder(`../frameworks/rows/${name}`, {
    "package.json": '{ "name": "row", "private": true, "type": "module" }\n',
    ...Object.fromEntries(
      CHECKED.map((file) => [file, readFileSync(join(here, "frameworks", file), "utf8")]),
    ),
    ...files,
  });
  cpSync(installed, at("node_modules", "graupel"), { recursive: true });
  return at;
}

/**
 * Builds a project. `build`: commands, each a file of a package with its arguments. Resolves to the project's folder, to Node,
 * and to its variables.
 */
export async function built(name, { files, build }) {
  await installIn(join(here, "frameworks"), frameworks, { what: "the frameworks" });
  const { node } = await nodeOf(LINE);
  const at = projectOf(name, files);
  const env = environment(at);
  for (const [file, ...args] of build)
    await output(node, [inRoom(file), ...args], { cwd: at(), env, seconds: SECONDS });
  return { at, node, env };
}

/**
 * The rows of a framework with a server. `name`: its package. `id`: its folder. `server`: from the project's folder and a port,
 * the arguments for Node and more variables. `ways`: by the way of loading, how the server is asked (one of answers), and the path.
 */
export function served({ host, name, id = host.toLowerCase().replace(" ", "-"), server, ways, ...project }) {
  let building;
  return Object.entries(ways).map(([how, [way, path]]) => {
    const run = async () => {
      building ??= built(id, project);
      const { at, node, env } = await building;
      const port = await freePort();
      const { args, env: more } = server(at, String(port));
      const result = await beside(node, args, { cwd: at(), env: { ...env, ...more } }, () =>
        answers[way](`http://127.0.0.1:${port}${path}`, id),
      );
      return { ...result, version: versionOf(name, inRoom) };
    };
    return { host, how, core: "WebAssembly", run };
  });
}
