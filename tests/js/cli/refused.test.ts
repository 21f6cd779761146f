/** What the command line refuses as wrong usage, and its words: the command lines of refused.json, each with its message. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import refused from "./refused.json" with { type: "json" };
import { commands, names, run, words } from "./run.ts";

/** What stands for the parts that several messages have. */
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

// Work for each pair of its characters would last for hours.
it("takes no time over a very long name", { timeout: 900_000 }, async () => {
  const name = "a".repeat(3_000_000);
  const { code, err } = await run([name]);
  assert.equal(code, 2);
  assert.match(err, /unknown command/);
});
