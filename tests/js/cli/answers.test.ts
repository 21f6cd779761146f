/**
 * The output of commands, word for word, from the rows of answers.json. For wrong usage, see
 * refused.json.
 */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import answers from "./answers.json" with { type: "json" };
import drawings from "./drawings.json" with { type: "json" };
import { type Around, json, run, succeeds, words } from "./run.ts";

interface Answer {
  /** A command, or several with the same output. */
  readonly run: string | readonly string[];
  /** IDs, which are passed as further arguments, and in a second run as lines of standard input. */
  readonly ids?: readonly string[];
  /** Terminals with the same output. If `columns` is null, the terminal does not know its width. */
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
  // Every suggested command works.
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
