// Runs every item of a file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { File, type Item } from "./data.ts";

/** Checks one item. Throws unless the package's outcome is the one in the item or under `here`. */
type Check = (item: Item) => unknown;

const reasons = new File("deviations");

/** Tests every section of a file. A deviation must have a name with a reason. */
export function vectors(
  name: string,
  checks: Readonly<Record<string, Check>>,
  head: (file: File) => void,
): void {
  test(`vectors of ${name}`, async () => {
    const file = new File(name);
    head(file);
    assert.deepEqual(Object.keys(checks).sort(), file.sections.sort(), "sections not run");
    const failures: string[] = [];
    for (const [section, check] of Object.entries(checks)) {
      for (const item of file.items(section)) {
        const { deviation, id } = item;
        try {
          await check(item);
          if (deviation !== null) assert.ok(reasons.head(deviation), `no reason is given for ${deviation}`);
        } catch (error) {
          failures.push(`${section}, ${id}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
    }
    assert.ok(failures.length === 0, `${name}: ${failures.length} items failed\n${failures.join("\n")}`);
  });
}
