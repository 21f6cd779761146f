/** What commands answer, word for word: the rows of answers.json. Those that are refused as wrong usage are in refused.json. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import answers from "./answers.json" with { type: "json" };
import drawings from "./drawings.json" with { type: "json" };
import { type Around, json, run, succeeds, words } from "./run.ts";

interface Answer {
  /** A command, or several that have the same answer. */
  readonly run: string | readonly string[];
  /** IDs: given behind the other arguments, and once more as lines of standard input. */
  readonly ids?: readonly string[];
  /** Terminals in which the answer is the same; null columns: the terminal does not know. */
  readonly terminals?: readonly { readonly columns?: number | null; readonly COLUMNS?: string }[];
  readonly code?: number;
  /** Standard output: lines of text, lines of JSON, or drawings by their names in drawings.json. */
  readonly out?: readonly string[];
  readonly json?: readonly object[];
  readonly drawings?: readonly (keyof typeof drawings)[];
  readonly err?: readonly string[];
}

const lines = (all: readonly string[] = []): string => all.map((line) => `${line}\n`).join("");

const widthOf = (terminal: Required<Answer>["terminals"][number]): Around =>
  "columns" in terminal ? { ...terminal, columns: terminal.columns ?? undefined } : (terminal as Around);

async function check(answer: Answer): Promise<void> {
  const { ids, terminals = [{}], code = 0, out, err = [] } = answer;
  const drawn = answer.drawings?.map((name) => lines(drawings[name])).join("\n");
  const wanted = { code, out: answer.json ?? drawn ?? lines(out), err: lines(err) };
  const inputs: [string[], string][] =
    ids === undefined
      ? [[[], ""]]
      : [
          [[...ids], ""],
          [[], lines(ids)],
        ];
  for (const line of [answer.run].flat()) {
    for (const terminal of terminals) {
      for (const [given, input] of inputs) {
        const found = await run([...words(line), ...given], input, widthOf(terminal));
        const said = answer.json === undefined ? found.out : json(found.out);
        assert.deepEqual({ ...found, out: said }, wanted, `${line} ${JSON.stringify(terminal)}`);
      }
    }
  }
  // Each suggested command works.
  for (const [, command] of lines(err).matchAll(/^graupel: did you mean: graupel (.*)$/gm)) {
    const args = words(command as string).map((word) => word.replace(/^'(.*)'$/, "$1"));
    assert.notEqual(await succeeds(args), "");
  }
}

for (const [section, rows] of Object.entries(answers) as [string, Answer[]][]) {
  describe(section, () => {
    for (const row of rows) {
      it([row.run].flat()[0] as string, () => check(row));
    }
  });
}
