/**
 * Wrong usage of the command line: the command lines in refused.json, each with its error message.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import refused from "./refused.json" with { type: "json" };
import { commands, names, run, words } from "./run.ts";

/** Placeholders for parts that several messages share. */
const parts: Readonly<Record<string, string>> = {
  formats: names.join(", "),
  date: "an ISO 8601 date in UTC such as 2025-01-31 or 2025-01-31T12:00:00Z",
};

for (const [section, lines] of Object.entries(refused)) {
  describe(section, () => {
    for (const [line, message] of Object.entries(lines)) {
      it(line, async () => {
        const args = words(line);
        const said = message.replace(/\{(\w+)\}/g, (_, part: string) => parts[part] as string);
        const command = commands.includes(args[0] ?? "") ? `${args[0]} ` : "";
        const err = `graupel: ${said}\ngraupel: try: graupel ${command}--help\n`;
        assert.deepEqual(await run(args), { code: 2, out: "", err });
      });
    }
  });
}

// Comparing every pair of its characters would take hours.
it("takes no time over a very long name", { timeout: 900_000 }, async () => {
  const name = "a".repeat(3_000_000);
  const { code, err } = await run([name]);
  assert.equal(code, 2);
  assert.match(err, /unknown command/);
});
