// The generated parts of documents match the package, its tests and the bench. The facts behind them
// match the specifications.
import assert from "node:assert/strict";
import { test } from "node:test";
import { ROWS } from "../support/formats.ts";
import { comparedOf, GENERATED } from "./generated.ts";

for (const file of Object.keys(GENERATED)) {
  test(`${file} is up to date`, async () => {
    const [text, wanted] = await comparedOf(file);
    assert.equal(text, wanted, "node --import tsx tests/js/docs/generated.ts --write");
  });
}

test("the facts of formats are those of the specifications", () => {
  for (const row of ROWS) {
    const { name, specified: wanted } = row;
    const { layout, epoch, endOfLife, capacity, format, range } = row.format;
    const found: Record<string, string | number> = {
      bits: layout.bits,
      epoch: new Date(epoch).toISOString(),
      last: new Date(endOfLife).toISOString(),
      spanMs: endOfLife - epoch,
      tickMs: layout.tickMs,
      capacity,
      largest: format(range(undefined, undefined).max),
    };
    assert.equal("epoch" in wanted, !row.facts.declared);
    for (const [fact, value] of Object.entries(wanted)) {
      assert.equal(found[fact], value, `${name}: ${fact}`);
    }
    assert.equal(
      layout.fields.reduce((sum, { bits }) => sum + bits, 0),
      layout.bits,
    );
  }
});
