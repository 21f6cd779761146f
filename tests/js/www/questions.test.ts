/** The questions of the page: every way through them ends in code that runs, with the format that it names. */
import { equal, ok } from "node:assert/strict";
import { test } from "node:test";
import * as graupel from "graupel";
import { type Advice, type Answers, adviceFor, questionsFor } from "../../../www/src/choose/questions.ts";

/** Every way through the questions. */
function ways(answers: Answers = {}): Answers[] {
  const open = questionsFor(answers).find(({ key }) => answers[key] === undefined);
  if (open === undefined) return [answers];
  return open.answers.flatMap(([value]) => ways({ ...answers, [open.key]: value }));
}

/** Runs the line, and makes an ID where it makes a generator. */
function run({ code }: Advice): unknown {
  const last = code.startsWith("const ids") ? "return ids.next();" : "return id;";
  const body = code.startsWith("const") ? code + last : `return ${code}`;
  return new Function(...Object.keys(graupel), body)(...Object.values(graupel));
}

const formats = Object.values(graupel).filter(
  (value): value is typeof graupel.discord =>
    typeof value === "object" && value !== null && "layout" in value,
);

test("every way ends in advice, and none before its end", () => {
  const all = ways();
  const services = (questionsFor({})[0]?.answers.length ?? 0) - 1;
  ok(services >= 5);
  equal(all.length, services + 3 + 3 * 4);
  for (const answers of all) {
    ok(adviceFor(answers) !== undefined, JSON.stringify(answers));
    const keys = Object.keys(answers);
    for (const key of keys) {
      const { [key]: _, ...others } = answers;
      equal(adviceFor(others), undefined, `${JSON.stringify(answers)} without ${key}`);
    }
  }
});

test("the line of each advice runs", () => {
  for (const answers of ways()) {
    const advice = adviceFor(answers) as Advice;
    const result = run(advice);
    const fixed = formats.find(({ name }) => name === advice.format);
    if (answers.service !== "none") ok((result as { timestamp: number }).timestamp > (fixed?.epoch ?? 0));
    else if (answers.json === "yes") ok(Number.isSafeInteger(result));
    else if (answers.key === "integer" || answers.key === "fields") equal(typeof result, "bigint");
    else ok(fixed?.isValid(result), `${advice.format}: ${result}`);
    ok(advice.reasons.length > 0);
  }
});

test("without numbers for the processes, no advice gives one", () => {
  for (const answers of ways().filter(({ numbers, json }) => numbers === "none" && json === "no")) {
    const { code } = adviceFor(answers) as Advice;
    ok(!/(Id|partition|scalability|worker): \d/.test(code), code);
  }
});
