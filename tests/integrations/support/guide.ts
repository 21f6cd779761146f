/** The guides: the blocks of one kind are one program, which is run where the libraries are installed. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../js/support/places.ts";

/** A user's project, which has the package and the libraries. */
export const project = join(realpathSync(join(import.meta.dirname, "..", "node_modules")), "..");

/** The blocks ` ```js <kind> ` of a page, as one program. */
function programOf(page: string, kind: string): string {
  const text = readFileSync(join(root, "www", "docs", page), "utf8");
  return [...text.matchAll(/^```js (.*)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === kind)
    .map(([, , block]) => block)
    .join("");
}

/** Runs a guide's program, which must print what the comments behind its `console.log(...)` say. `lines`: how many there are. */
export async function runGuide(
  page: string,
  kind: string,
  { env, lines }: { readonly env: Readonly<Record<string, string>>; readonly lines: number },
): Promise<void> {
  const code = programOf(page, kind);
  const wanted = [...code.matchAll(/^ *console\.log\(.*\);\s*\/\/ (.*)$/gm)].map(([, line]) => line);
  assert.equal(wanted.length, lines, "lines that the guide prints");
  const program = join(project, `${page.replace(/\W/g, "-")}-${kind}.mjs`);
  writeFileSync(program, code);
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      cwd: project,
      env: { ...process.env, ...env },
    });
    assert.deepEqual(stdout.trimEnd().split("\n"), wanted);
  } finally {
    rmSync(program);
  }
}
