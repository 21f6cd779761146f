// Runs every item of a file and counts the matches and each deviation.
import assert from "node:assert/strict";
import { test } from "node:test";
import { File, type Item } from "./data.ts";

/** Checks one item. Throws unless the package's outcome is the one in the item or under `here`. */
type Check = (item: Item) => unknown;

const reasons = new File("deviations");

/** Tests every section of a file. `npm test` prints the table. */
export function vectors(
  name: string,
  checks: Readonly<Record<string, Check>>,
  head: (file: File) => void,
): void {
  test(`vectors of ${name}`, async () => {
    const file = new File(name);
    head(file);
    assert.deepEqual(Object.keys(checks).sort(), file.sections.sort(), "sections not run");
    console.log(`${name.padEnd(26)} items   met  stand under a name`);
    const failures: string[] = [];
    for (const [section, check] of Object.entries(checks)) {
      console.log(await tally(file, section, check, failures));
    }
    assert.ok(failures.length === 0, `${name}: ${failures.length} items failed\n${failures.join("\n")}`);
  });
}

/** Checks the items of a section in order. Returns the section's line of the table. */
async function tally(file: File, section: string, check: Check, failures: string[]): Promise<string> {
  const names = new Map<string, number>();
  const items = file.items(section);
  let met = 0;
  for (const item of items) {
    try {
      await check(item);
      const name = item.deviation;
      if (name === null) {
        met++;
      } else {
        assert.equal(typeof reasons.head(String(name)), "string", `no reason is given for ${name}`);
        names.set(String(name), (names.get(String(name)) ?? 0) + 1);
      }
    } catch (error) {
      failures.push(`${section}, ${item.id}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  const standing = [...names].sort().map(([name, count]) => `${name} ${count}`);
  const counts = `${String(items.length).padStart(6)}${String(met).padStart(6)}`;
  return `  ${section.padEnd(24)}${counts}  ${standing.join(", ")}`.trimEnd();
}
