// Installers: what each makes of the packed package, loaded in Node. Their folders lie outside the project, where nothing else
// could be found.

import { writeFileSync } from "node:fs";
import { npm } from "../../../xtask/lib/process.mjs";
import { tool } from "../lib/places.mjs";
import { folder, program, required, resultIn, tarball, versionOf } from "../lib/project.mjs";
import { output } from "../lib/run.mjs";

const CORE = "WebAssembly";

/** npm is a script if npm runs this, and otherwise a program. */
const npmCommand = npm.endsWith(".js") ? [process.execPath, npm] : [npm];

const YARNRC = `nodeLinker: pnp
enableTelemetry: false
enableGlobalCache: false
enableImmutableInstalls: false
`;

const CLASSIC = tool("yarn", "bin", "yarn.js");

const INSTALLERS = [
  {
    host: "npm",
    install: [...npmCommand, "install", "--offline", "--no-audit", "--no-fund"],
    start: (file) => [process.execPath, file],
    version: async () => (await output(npmCommand[0], [...npmCommand.slice(1), "--version"])).trim(),
  },
  {
    host: "pnpm",
    install: [
      process.execPath,
      tool("pnpm", "bin", "pnpm.cjs"),
      "install",
      "--offline",
      "--store-dir",
      "store",
    ],
    start: (file) => [process.execPath, file],
    version: async () => versionOf("pnpm"),
  },
  {
    host: "yarn classic",
    // A cache of its own: it would take an older tarball of the same version from the user's.
    install: [
      process.execPath,
      CLASSIC,
      "install",
      "--offline",
      "--non-interactive",
      "--cache-folder",
      "cache",
    ],
    start: (file) => [process.execPath, file],
    version: async () => versionOf("yarn"),
  },
  {
    host: "yarn",
    how: "Plug'n'Play",
    install: [process.execPath, tool("@yarnpkg", "cli-dist", "bin", "yarn.js"), "install"],
    start: (file) => [process.execPath, tool("@yarnpkg", "cli-dist", "bin", "yarn.js"), "node", file],
    version: async () => versionOf("@yarnpkg/cli-dist"),
  },
];

function rowOf({ host, how = "install", install, start, version }, [kind, file]) {
  const run = async () => {
    const at = folder(`../installers/${host}-${kind}`, {
      "main.mjs": program({ core: CORE }),
      "main.cjs": required({ core: CORE }),
      ".yarnrc.yml": YARNRC,
      // Marks the root of the project.
      "yarn.lock": "",
    });
    const dependencies = { graupel: `file:${tarball()}` };
    writeFileSync(at("package.json"), JSON.stringify({ name: "row", private: true, dependencies }));
    const env = { YARN_IGNORE_PATH: "1", COREPACK_ENABLE_STRICT: "0" };
    const [installer, ...args] = install;
    await output(installer, args, { cwd: at(), env });
    const [starter, ...rest] = start(file);
    return { version: await version(), ...resultIn(await output(starter, rest, { cwd: at(), env })) };
  };
  return { host, how: `${how}, ${kind} in Node`, core: CORE, run };
}

const KINDS = Object.entries({ import: "main.mjs", require: "main.cjs" });

export const rows = INSTALLERS.flatMap((installer) => KINDS.map((kind) => rowOf(installer, kind)));
