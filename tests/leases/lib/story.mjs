// Stories register themselves here. suite.mjs runs them.

import { gather, judge, NUMBERS, planted } from "./crowd.mjs";

/** All stories, in the order of their files. */
export const stories = [];

/**
 * Registers a story with a server of servers/. `work` gets `stageOf`. The story fails if it throws.
 * Its result is printed next to the name.
 */
export function story(server, name, work) {
  stories.push({ server, name, work });
}

/**
 * Registers a story in which no ID may repeat. `play` returns the issued IDs (crowd.mjs).
 * `mistakes`: mistakes in the holders (mistakes.mjs), by description. Each runs as a separate story
 * and must cause a duplicate. `play` gets the stage and the mistake.
 */
export function tale(server, name, play, mistakes = {}) {
  if (name) story(server, name, async (it) => judge(await play(it)));
  for (const [what, mistake] of Object.entries(mistakes))
    story(server, `a planted mistake is seen: ${what}`, async (it) => planted(await play(it, mistake)));
}

/**
 * The tools of a story. `afterwards` takes a function that runs when the story ends, whether it
 * passes or fails.
 */
export function stageOf(server, afterwards) {
  const self = {
    ...{ server, afterwards },
    /** Starts a server. */
    async begin(options, name = server) {
      const running = await (await import(`../servers/${name}.mjs`)).start(options);
      afterwards(running.kill);
      return running;
    },
    /** Opens a store of a server with its own client. `options`: such as `client`. */
    async open(running, options) {
      const opened = await running.connect(options);
      afterwards(opened.close);
      return opened;
    },
    /** Starts a crowd (crowd.mjs): a few processes that together want all numbers. */
    gather: (what) => gather({ server, processes: 2, leases: NUMBERS / 2, ...what }, afterwards),
    /** Starts a crowd and waits until it holds all numbers. */
    async holders(what) {
      const all = await self.gather(what);
      await all.holding(NUMBERS, "after the start");
      return all;
    },
  };
  return self;
}

/** A request for a number, without its token. */
export const request = {
  ...{ namespace: "calls", layout: "a layout", last: 31, mask: 0, bits: 0 },
  ...{ ttlMs: 5000, quarantineMs: 5000, label: "a story" },
};

/** Acquires a number and fails if none is granted. `asked`: the request. */
export async function taken(store, token, asked = request) {
  const answer = await store.acquire({ ...asked, token });
  if (!("number" in answer)) throw new Error(`no number: ${JSON.stringify(answer)}`);
  return answer;
}
