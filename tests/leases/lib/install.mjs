// Servers from Debian packages.

import { existsSync } from "node:fs";
import { tryRun } from "../../../xtask/lib/process.mjs";
import { step } from "../../../xtask/lib/progress.mjs";

/** Whether packages can be installed here. */
const isDebian = () => process.getuid?.() === 0 && existsSync("/etc/debian_version");

/** Why a server cannot be used, if it cannot. `isNeeded`: it is installed first, where that is possible. */
export async function installed({ find, install }, isNeeded) {
  if (find() === undefined && isNeeded && isDebian()) {
    const [program, ...args] = install.split(" ");
    const env = { DEBIAN_FRONTEND: "noninteractive" };
    await step(install, async () => {
      await tryRun(program, ["update"], { env });
      await tryRun(program, ["--yes", ...args], { env });
    });
  }
  return find() === undefined ? `install the server: ${install}` : undefined;
}
