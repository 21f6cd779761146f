// A copy of the Rust code, in which tests plant mistakes.

import { cpSync, existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fromRoot, run } from "../../xtask/lib/process.mjs";

/** Copies the files that cargo and the Rust tests need to an empty directory. */
export async function copyWorkspace(to) {
  rmSync(to, { recursive: true, force: true });
  const what = [
    "*.rs",
    "*.toml",
    "Cargo.lock",
    "model",
    "tests/stories",
    "tests/vectors",
    "www/docs/guarantees.md",
  ];
  const files = await run("git", ["ls-files", "--cached", "--others", "--exclude-standard", "--", ...what]);
  for (const file of files.trim().split("\n"))
    if (existsSync(fromRoot(file))) cpSync(fromRoot(file), join(to, file));
}
