// The rows of a framework: one project, built once for production. Its server listens on the loopback interface while a row
// asks it. package.json pins the versions.

import { cpSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nodeOf } from "../hosts/node.mjs";
import { shown } from "../lib/browser.mjs";
import { frameworks, here, installed } from "../lib/places.mjs";
import { freePort } from "../lib/ports.mjs";
import { folder, versionOf } from "../lib/project.mjs";
import { beside, output, within } from "../lib/run.mjs";
import { answerOf } from "../lib/server.mjs";
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

/** The `result` in the text of a page, as a URL's characters: no markup changes them. */
export const SHOW = '"[" + encodeURIComponent(JSON.stringify(result)) + "]"';

/** Code of a page that sends `result` to the server that opened the page. */
export const SEND =
  'fetch(new URLSearchParams(location.search).get("to") + "/result", ' +
  '{ method: "POST", mode: "no-cors", body: JSON.stringify(result) });';

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

const asked = (url) => within(60, "no answer", answerOf(url));

/** The result in a page. */
function resultIn(page) {
  const found = /\[(%7B[^\]]*)\]/.exec(page);
  if (found === null) throw new Error(`no result in the page: ${page.slice(0, 300)}`);
  return JSON.parse(decodeURIComponent(found[1]));
}

/** How a server is asked, by its address. */
const WAYS = {
  page: async (url) => resultIn(await asked(url)),
  endpoint: async (url) => JSON.parse(await asked(url)),
  Chromium: async (url, name) => {
    await asked(url);
    const page = `<script>location.href = "${url}?to=" + location.origin;</script>`;
    return shown("Chromium", folder(`${name}-client`, { "page.html": page })());
  },
};

/**
 * The rows of a framework with a server. `name`: its package. `id`: its folder. `server`: from the project's folder and a port,
 * the arguments for Node and more variables. `ways`: by the way of loading, how the server is asked (one of WAYS), and the path.
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
        WAYS[way](`http://127.0.0.1:${port}${path}`, id),
      );
      return { ...result, version: versionOf(name, inRoom) };
    };
    return { host, how, core: "WebAssembly", run };
  });
}
