// Stories for MariaDB only: other statements run between the statements of a call.

import { importBuilt } from "../lib/places.mjs";
import { request, story } from "../lib/story.mjs";
import { until, wait } from "../lib/time.mjs";

const server = "mysql";
const { mysql, tableSql } = await importBuilt("lease/mysql");
const { namespace } = request;

/** The statements that empty the table. */
const EMPTYING = {
  DELETE: ["DELETE FROM graupel_lease"],
  "DELETE that commits later": ["START TRANSACTION", "DELETE FROM graupel_lease"],
  "DELETE of the namespace's own row": ["DELETE FROM graupel_lease WHERE number = -1"],
  TRUNCATE: ["TRUNCATE graupel_lease"],
  "DROP and CREATE": ["DROP TABLE graupel_lease", tableSql()],
};

/** Times short enough for hundreds of rounds. */
const BRIEF = { ...request, last: 0, ttlMs: 60, quarantineMs: 60 };

/** Retries until a number is granted. Any other refusal fails the story. */
async function grantedTo(store, token) {
  let answer;
  const isGranted = async () => {
    answer = await store.acquire({ ...BRIEF, token });
    if ("layout" in answer) throw new Error(`the namespace is stuck: ${JSON.stringify(answer)}`);
    return "number" in answer;
  };
  await until(isGranted, "a number is free again");
  return answer;
}

/**
 * Plays one round with one number: X acquires (or renews, or releases), and before its statement
 * number `step` the table is emptied. Then Y starts, and X continues. Resolves to whether X reached
 * that statement.
 */
async function emptiedAt(step, { raw, other, durable, how, what, starts }) {
  await raw.query("DELETE FROM graupel_lease");
  const plain = mysql(raw, { durable });
  const held = [];
  const renew = (store, token) => store.renew({ ...BRIEF, number: 0, token, nextToken: token });
  const release = (store, token, nextFree) =>
    store.release({ namespace, number: 0, tokens: [token], nextFree });
  /**
   * Records the interval in which a holder may use the number. The non-durable store grants it on
   * renewal.
   */
  const hold = async (token, grant) => {
    const renewed = await renew(plain, token);
    held.push({ token, ...(renewed && renewed.until > grant.until ? renewed : grant) });
  };
  const take = async (token) => hold(token, await grantedTo(plain, token));
  const first = await grantedTo(plain, "first");
  await wait(first.from - first.now);
  await hold("first", first);
  await release(plain, "first", held[0].until);
  await wait(held[0].until - Date.now());
  if (what !== "acquire") await take("x");

  let statements = 0;
  let emptied = false;
  const execute = async (sql, values) => {
    const isNow = statements++ === step;
    const isLate = how.endsWith("later");
    if (isNow) {
      emptied = true;
      for (const statement of EMPTYING[how]) await other.query(statement);
      if (starts && !isLate) await take("y");
    }
    try {
      return await raw.execute(sql, values);
    } finally {
      if (isNow && isLate) await other.query("COMMIT");
    }
  };
  const x = mysql({ execute }, { durable });
  // A lease retries such a call.
  const busy = ({ errno, message }) => {
    if (errno !== 1205 && !/read from the primary/.test(message)) throw new Error(message);
    return null;
  };
  if (what === "acquire") {
    const answer = await x.acquire({ ...BRIEF, token: "x" });
    if ("layout" in answer) throw new Error(`refused with the layout ${answer.layout}`);
    if ("number" in answer) await hold("x", answer);
  } else if (what === "renew") {
    const renewed = await renew(x, "x").catch(busy);
    if (renewed) held.push({ token: "x", ...renewed });
  } else {
    await release(x, "x", held.at(-1).from).catch(busy);
    // The holder has issued nothing.
    held.pop();
  }
  await take("z");
  for (const one of held) {
    const meets = ({ token, from, until }) => token !== one.token && from < one.until && one.from < until;
    if (held.some(meets)) throw new Error(`an interval twice: ${JSON.stringify(held)}`);
  }
  return emptied;
}

story(
  server,
  "the table is emptied between any two statements: no interval twice, and no namespace is stuck",
  async (it) => {
    let rounds = 0;
    async function play(level) {
      const running = await it.begin({ durable: true, settings: { "transaction-isolation": level } });
      const { raw: other } = await it.open(running, { client: "mysql2, one connection" });
      const { raw } = await it.open(running);
      for (const durable of [true, false])
        for (const how of Object.keys(EMPTYING))
          for (const what of ["acquire", "renew", "release"])
            for (const starts of [true, false])
              for (let step = 0; ; step++) {
                const round = { durable, how, what, starts };
                const isThere = await emptiedAt(step, { raw, other, ...round }).catch(({ message }) => {
                  throw new Error(`${level}, step ${step} of ${JSON.stringify(round)}: ${message}`);
                });
                if (!isThere) break;
                rounds++;
              }
    }
    await Promise.all(["READ-COMMITTED", "REPEATABLE-READ"].map(play));
    return `${rounds} rounds`;
  },
);
