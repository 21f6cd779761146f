// What only MariaDB has: statements of one call that others come between.

import { request, taken } from "../lib/calls.mjs";
import { begin, connectTo } from "../lib/disasters.mjs";
import { importBuilt } from "../lib/places.mjs";
import { story } from "../lib/story.mjs";
import { until, wait } from "../lib/time.mjs";

const server = "mysql";

story(server, "what changes between reading and writing is read again", async (afterwards) => {
  const running = await begin(server, afterwards, { durable: true });
  const { store, raw, close } = await running.connect();
  afterwards(close);
  // The grant begins well before the end of its time to live, so that some of it can be used.
  const { namespace, ttlMs } = request;
  const only = { ...request, last: 0, quarantineMs: ttlMs - 1000 };
  const first = await taken(store, "first", only);
  await store.release({ namespace, number: 0, tokens: ["first"], nextFree: 0 });
  /** Takes the number, uses some of its time, and gives it back. */
  const meanwhile = async () => {
    const { from } = await taken(store, "other", only);
    await store.release({ namespace, number: 0, tokens: ["other"], nextFree: from + 700 });
  };
  let isFirst = true;
  const execute = async (sql, values) => {
    if (isFirst && sql.includes("SET it.token = ?")) {
      isFirst = false;
      await meanwhile();
    }
    return raw.execute(sql, values);
  };
  const { mysql } = await importBuilt("lease/mysql");
  const { from } = await taken(mysql({ execute }, { durable: true }), "second", only);
  if (from !== first.from + 700) throw new Error(`from ${from}, not ${first.from + 700}`);
});

const { tableSql } = await importBuilt("lease/mysql");

/** What empties the table. */
const EMPTYING = {
  DELETE: ["DELETE FROM graupel_lease"],
  "DELETE that commits later": ["START TRANSACTION", "DELETE FROM graupel_lease"],
  "DELETE of the namespace's own row": ["DELETE FROM graupel_lease WHERE number = -1"],
  TRUNCATE: ["TRUNCATE graupel_lease"],
  "DROP and CREATE": ["DROP TABLE graupel_lease", tableSql()],
};

/** Times so short that hundreds of rounds end soon. */
const BRIEF = { ...request, last: 0, ttlMs: 60, quarantineMs: 60 };

/** Asks until there is a number; whatever is refused otherwise fails the story. */
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
 * One number, and one round: X acquires (or renews, or releases), and before its statement number `step` the table is emptied; then Y
 * starts, and X goes on. Resolves to whether there is such a statement.
 */
async function emptiedAt(step, { mysql, raw, other, durable, how, what, starts }) {
  const { namespace, ttlMs } = BRIEF;
  await raw.query("DELETE FROM graupel_lease");
  const plain = mysql(raw, { durable });
  const held = [];
  /** What somebody may use of the number: a forgetful store grants it by a renewal. */
  const hold = async (store, token, grant) => {
    const renewed = await store.renew({ namespace, number: 0, ttlMs, token, nextToken: token });
    held.push({ token, ...(renewed && renewed.until > grant.until ? renewed : grant) });
  };
  const first = await grantedTo(plain, "first");
  await wait(first.from - first.now);
  await hold(plain, "first", first);
  await plain.release({ namespace, number: 0, tokens: ["first"], nextFree: held[0].until });
  await wait(held[0].until - Date.now());
  if (what !== "acquire") await hold(plain, "x", await grantedTo(plain, "x"));

  let statements = 0;
  let emptied = false;
  const execute = async (sql, values) => {
    const isNow = statements++ === step;
    if (isNow) {
      emptied = true;
      for (const statement of EMPTYING[how]) {
        await other.query(statement);
      }
      if (starts && !how.endsWith("later")) await hold(plain, "y", await grantedTo(plain, "y"));
    }
    try {
      return await raw.execute(sql, values);
    } finally {
      if (isNow && how.endsWith("later")) await other.query("COMMIT");
    }
  };
  const x = mysql({ execute }, { durable });
  // A lease makes such a call again.
  const busy = ({ errno, message }) => {
    if (errno !== 1205 && !/read from the primary/.test(message)) throw new Error(message);
    return null;
  };
  if (what === "acquire") {
    const answer = await x.acquire({ ...BRIEF, token: "x" });
    if ("layout" in answer) throw new Error(`refused with the layout ${answer.layout}`);
    if ("number" in answer) await hold(plain, "x", answer);
  } else if (what === "renew") {
    const renewed = await x.renew({ namespace, number: 0, ttlMs, token: "x", nextToken: "x" }).catch(busy);
    if (renewed) held.push({ token: "x", ...renewed });
  } else {
    const nextFree = held.at(-1).from;
    await x.release({ namespace, number: 0, tokens: ["x"], nextFree }).catch(busy);
    // It has used nothing.
    held.pop();
  }
  await hold(plain, "z", await grantedTo(plain, "z"));
  for (const one of held) {
    const meets = ({ token, from, until }) => token !== one.token && from < one.until && one.from < until;
    if (held.some(meets)) throw new Error(`an interval twice: ${JSON.stringify(held)}`);
  }
  return emptied;
}

story(
  server,
  "the table is emptied between any two statements: no interval twice, and no namespace is stuck",
  async (afterwards) => {
    const running = await begin(server, afterwards, { durable: true });
    const { raw: other } = await connectTo(running, afterwards, "mysql2, one connection");
    const { mysql } = await importBuilt("lease/mysql");
    let rounds = 0;
    for (const level of ["READ COMMITTED", "REPEATABLE READ"]) {
      await other.query(`SET GLOBAL TRANSACTION ISOLATION LEVEL ${level}`);
      const { raw } = await connectTo(running, afterwards, "mysql2, a pool");
      for (const durable of [true, false])
        for (const how of Object.keys(EMPTYING))
          for (const what of ["acquire", "renew", "release"])
            for (const starts of [true, false])
              for (let step = 0; ; step++) {
                const all = { mysql, raw, other, durable, how, what, starts };
                const isThere = await emptiedAt(step, all).catch((error) => {
                  const where = `${level}, ${durable ? "durable" : "forgetful"}, ${how} before statement ${step} of ${what}`;
                  throw new Error(`${where}, ${starts ? "and a start" : "alone"}: ${error.message}`);
                });
                if (!isThere) break;
                rounds++;
              }
    }
    return `${rounds} rounds`;
  },
);
