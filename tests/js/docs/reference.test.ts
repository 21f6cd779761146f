/**
 * The API reference that typedoc generates from the comments in js/. Every export must be in it and
 * have a description.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { entriesOf, packageDirectory, root } from "../support/places.ts";
import { run, tool } from "../support/user-project.ts";

const typedoc = [...tool("typedoc", "bin", "typedoc"), "--pretty", "false"];
const settings = JSON.parse(readFileSync(join(root, "typedoc.json"), "utf8"));
const entryPoints: readonly string[] = settings.entryPoints;

let place: string;
before(() => {
  // The folder is inside the repository, because the compiler's settings are there. Every build
  // creates it again.
  mkdirSync(join(root, "target"), { recursive: true });
  place = mkdtempSync(join(root, "target", "reference-test-"));
});
after(() => rmSync(place, { recursive: true, force: true }));

test("every entry of the package is an entry of the reference, under the name that it is imported by", () => {
  // graupel/pure and its entries have the same declarations.
  const imported = [...entriesOf(packageDirectory).keys()].filter((name) => !/^graupel\/pure\b/.test(name));
  const named = entryPoints.map((file) => {
    return / \* @module (\S+)\n/.exec(readFileSync(join(root, file), "utf8"))?.[1];
  });
  assert.deepEqual(named.sort(), imported.sort());
});

test("every export, member and link is documented", async () => {
  const { code, stdout, stderr } = await run([...typedoc, "--out", join(place, "pages")], root);
  assert.equal(stderr.trim(), "");
  assert.doesNotMatch(stdout, /warning|error/i);
  assert.equal(code, 0);
});

describe("what is missing is found", () => {
  const PLANTS = {
    "an export without a comment": {
      code: "export const bare = 1;",
      complaint: /bare \(Variable\).* does not have any documentation/,
    },
    "a member without a comment": {
      code: "/** An interface. */\nexport interface Documented {\n  readonly member: number;\n}",
      complaint: /member \(Property\).* does not have any documentation/,
    },
    "a type that is not exported": {
      code: "interface Hidden {}\n/** Its user. */\nexport declare const user: Hidden;",
      complaint: /Hidden.* is referenced by .*user but not included/,
    },
    "a link to nothing": {
      code: "/** See {@link Nothing}. */\nexport const linked = 1;",
      complaint: /Failed to resolve link to "Nothing"/,
    },
  };

  test("each of them, planted", async () => {
    const codes = Object.values(PLANTS).map(({ code }) => code);
    const entry = join(place, "planted.ts");
    writeFileSync(entry, `/**\n * Planted.\n *\n * @module\n */\n\n${codes.join("\n")}\n`);
    // The settings of the reference, except its inputs and outputs.
    const { $schema: _, intentionallyNotExported: __, ...kept } = settings;
    const tsconfig = join(place, "tsconfig.json");
    writeFileSync(
      tsconfig,
      JSON.stringify({ compilerOptions: { lib: ["ES2022"], types: [] }, files: ["planted.ts"] }),
    );
    const options = join(place, "typedoc.json");
    const own = { entryPoints: ["planted.ts"], tsconfig: "tsconfig.json", out: "nothing" };
    writeFileSync(options, JSON.stringify({ ...kept, ...own }));
    const { code, stdout, stderr } = await run([...typedoc, "--options", options], place);
    assert.notEqual(code, 0);
    for (const [name, { complaint }] of Object.entries(PLANTS)) {
      assert.match(stdout + stderr, complaint, name);
    }
  });
});
