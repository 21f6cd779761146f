// Folders, ports and packages that a test needs.

import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const works = new Set();
process.once("exit", () => {
  for (const work of works) work();
});

/** Calls `work` when this process ends, for any reason. */
export const atExit = (work) => void works.add(work);

/** Makes a folder, which is removed when this process ends. */
export function temporary(what) {
  const folder = mkdtempSync(join(tmpdir(), `graupel-${what}-`));
  atExit(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }));
  return folder;
}

/** Imports a package that is installed in a folder. */
export const importFrom = (folder, name) =>
  import(pathToFileURL(createRequire(join(folder, "package.json")).resolve(name)));

/** A free port of the loopback interface. */
export function freePort() {
  return new Promise((done, fail) => {
    const server = createServer();
    server.on("error", fail);
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
