/**
 * The programs of guides: blocks of code that say which file they are, and blocks that show what `node <file>` prints, in any order. They run
 * with real threads and processes. Those that need `node:sqlite` run where Node has it, and in `npm run test:leases`.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, describe, test } from "node:test";
import { root, testsJs } from "../support/places.ts";
import { node } from "../support/user-project.ts";

const GUIDES = ["workers/threads-and-cluster.md"];

const withoutSqlite =
  process.getBuiltinModule("node:sqlite" as "node:fs") === undefined && "this Node has no node:sqlite";
const lines = (text: string) => text.trimEnd().split("\n").sort();

for (const guide of GUIDES) {
  const page = readFileSync(join(root, "www", "docs", guide), "utf8");
  const files = [...page.matchAll(/^```js file=(\S+)\n([\s\S]*?)^```$/gm)];
  const runs = [...page.matchAll(/^```text\n\$ node (\S+)\n([\s\S]*?)^```$/gm)];

  // They mostly wait.
  describe(guide, { concurrency: true }, () => {
    /** All files, in a directory of its own for each run: programs leave files there. */
    function written(): string {
      const directory = mkdtempSync(join(tmpdir(), `graupel-${basename(guide, ".md")}-`));
      after(() => rmSync(directory, { recursive: true, force: true }));
      symlinkSync(join(testsJs, "node_modules"), join(directory, "node_modules"));
      for (const [, name = "", code = ""] of files) writeFileSync(join(directory, name), code);
      return directory;
    }

    test("each program is run, or is part of one that is", () => {
      assert.ok(runs.length > 0);
      const ran = runs.map(([, name]) => name);
      const isPart = (name: string) => files.some(([, , code = ""]) => code.includes(`"${name}"`));
      for (const [, name = ""] of files) assert.ok(ran.includes(name) || isPart(name), name);
    });
    for (const [, name = "", printed = ""] of runs) {
      const code = files.find(([, file]) => file === name)?.[2] ?? "";
      const skip = code.includes("node:sqlite") && withoutSqlite;
      test(name, { skip }, async () => {
        assert.notEqual(code, "", `there is no ${name}`);
        assert.deepEqual(lines(await node(written(), name)), lines(printed));
      });
    }
  });
}
