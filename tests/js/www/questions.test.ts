/**
 * The questions on the page: every path through them ends in code that runs with the named format.
 */
import { equal, ok } from "node:assert/strict";
import { test } from "node:test";
import * as graupel from "graupel";
import { type Lease, lease, memory } from "graupel/lease";
import { type Advice, type Answers, adviceFor, questionsFor } from "../../../www/src/choose/questions.ts";
import { STORES } from "../../../www/src/choose/sources.ts";

/** Every path through the questions. */
function ways(answers: Answers = {}): Answers[] {
  const [open, ...more] = questionsFor(answers).filter(({ key }) => answers[key] === undefined);
  equal(more.length, 0, "one question after the other");
  if (open === undefined) return [answers];
  return open.answers.flatMap(([value]) => ways({ ...answers, [open.key]: value }));
}

const leased: Lease[] = [];
/** Leases with short times. Each has its own store, whatever store the advice names. */
const quick: typeof lease = async (_, options) => {
  const worker = await lease(memory(), { ...options, ttlMs: 5000, quarantineMs: 5000 });
  leased.push(worker);
  return worker;
};

/** The names that the code may use: the package, and the clients that stores take. */
const known = {
  ...graupel,
  lease: quick,
  ...Object.fromEntries(Object.values(STORES).map(({ entry }) => [entry, () => memory()])),
  ...{ client: {}, pool: {}, database: {} },
};

/** Runs the code and generates an ID if it creates a generator. */
async function run({ code }: Advice): Promise<unknown> {
  const last = code.includes("const ids") ? "return ids.next();" : "return id;";
  const body = code.startsWith("const") ? `${code}\n${last}` : `return ${code}`;
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  return new AsyncFunction(...Object.keys(known), body)(...Object.values(known));
}

const formats = Object.values(graupel).filter(
  (value): value is typeof graupel.discord =>
    typeof value === "object" && value !== null && "layout" in value,
);

test("every way ends in advice, and none before its end", () => {
  const all = ways();
  const services = (questionsFor({})[0]?.answers.length ?? 0) - 1;
  ok(services >= 5);
  const stores = Object.keys(STORES).length;
  ok(stores >= 5);
  equal(all.length, services + (3 + stores) + (3 + stores) * 4);
  for (const answers of all) {
    ok(adviceFor(answers) !== undefined, JSON.stringify(answers));
    const keys = Object.keys(answers);
    for (const key of keys) {
      const { [key]: _, ...others } = answers;
      equal(adviceFor(others), undefined, `${JSON.stringify(answers)} without ${key}`);
    }
  }
});

test("the code of each advice runs", async () => {
  const all = ways().map((answers) => ({ answers, advice: adviceFor(answers) as Advice }));
  const made = (isLease: boolean) =>
    Promise.all(
      all
        .filter(({ advice }) => advice.isLease === isLease)
        .map(async (one) => ({ ...one, result: await run(one.advice) })),
    );
  const first = await made(true);
  // A leased number cannot also be assigned by hand.
  for (const worker of leased) await worker.release();
  equal(leased.length, first.length);
  for (const { answers, advice, result } of [...first, ...(await made(false))]) {
    const fixed = formats.find(({ name }) => name === advice.format);
    if (answers.service !== "none") ok((result as { timestamp: number }).timestamp > (fixed?.epoch ?? 0));
    else if (answers.json === "yes") ok(Number.isSafeInteger(result));
    else if (answers.key === "integer" || answers.key === "fields") equal(typeof result, "bigint");
    else ok(fixed?.isValid(result), `${advice.format}: ${result}`);
    ok(advice.reasons.length > 0);
  }
});

test("who leases imports a store that is there, and takes the number of the lease", async () => {
  for (const answers of ways()) {
    const { code, imports, isLease } = adviceFor(answers) as Advice;
    equal(isLease, answers.numbers === "lease");
    if (!isLease) continue;
    const [, name = "", entry = ""] = /^import \{ (\w+) \} from "(.*)";$/.exec(imports[1] ?? "") ?? [];
    equal(entry, `graupel/lease/${answers.store}`);
    equal(typeof (await import(entry))[name], "function");
    ok(code.includes(`await lease(${name}(`) && code.includes("generator({ lease: worker })"), code);
  }
});

test("without numbers for the processes, no advice gives one", () => {
  for (const answers of ways().filter(({ numbers, json }) => numbers === "none" && json === "no")) {
    const { code } = adviceFor(answers) as Advice;
    ok(!/(Id|partition|scalability|worker): \d/.test(code), code);
  }
});
