// Counts the items that match, those with each deviation, and those with neither.
import assert from "node:assert/strict";
import { File, type Item } from "./data.ts";

/** `undefined`: the same as the reference. A name: not the same, because of that deviation. A check throws otherwise. */
export type Verdict = string | undefined;

export class Tally {
  readonly #reasons = new File("deviations");
  readonly #lines: string[] = [];
  readonly #done: string[] = [];
  readonly #failures: string[] = [];

  constructor(readonly file: File) {}

  /** Checks every item of a section, one after the other. */
  async section(section: string, check: (item: Item) => Verdict | Promise<Verdict>): Promise<void> {
    const names = new Map<string, number>();
    const items = this.file.items(section);
    let met = 0;
    for (const item of items) {
      try {
        const name = await check(item);
        if (name === undefined) {
          met++;
        } else {
          assert.equal(typeof this.#reasons.head(name), "string", `no reason is given for ${name}`);
          names.set(name, (names.get(name) ?? 0) + 1);
        }
      } catch (error) {
        this.#failures.push(`${item.id}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    const standing = [...names].sort().map(([name, count]) => `${name} ${count}`);
    const counts = `${String(items.length).padStart(6)}${String(met).padStart(6)}`;
    this.#lines.push(`  ${section.padEnd(24)}${counts}  ${standing.join(", ")}`.trimEnd());
    this.#done.push(section);
  }

  /** Prints the table. Throws if an item had neither result, or a section was left out. */
  report(): void {
    const head = `${this.file.name.padEnd(26)} items   met  stand under a name`;
    console.log([head, ...this.#lines].join("\n"));
    assert.deepEqual([...this.#done].sort(), [...this.file.sections].sort(), "sections not run");
    const failures = this.#failures.length;
    assert.ok(failures === 0, `${this.file.name}: ${failures} items failed\n${this.#failures.join("\n")}`);
  }
}
