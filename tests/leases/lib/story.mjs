// Stories name themselves here; suite.mjs runs them.

import { gather } from "./crowd.mjs";
import { judge, NUMBERS, planted } from "./judge.mjs";

/** In the order of their files. */
export const stories = [];

/** A story with a server of servers/. `work` gets `stageOf`; the story fails if it throws; what it gives is printed beside its name. */
export function story(server, name, work) {
  stories.push({ server, name, work });
}

/**
 * A story in which no ID may repeat. `play` gives what was issued (judge.mjs). `mistakes`: by their descriptions, mistakes of holders
 * (mistakes.mjs), each of which has to repeat an ID in a story of its own. `play` gets them beside the stage.
 */
export function tale(server, name, play, mistakes = {}) {
  if (name) story(server, name, async (it) => judge(await play(it)));
  for (const [what, mistake] of Object.entries(mistakes))
    story(server, `a planted mistake is seen: ${what}`, async (it) => planted(await play(it, mistake)));
}

/** What a story works with. `afterwards` takes what is to be done when the story ends, whatever happens. */
export function stageOf(server, afterwards) {
  const self = {
    ...{ server, afterwards },
    /** Starts a server. */
    async begin(options, name = server) {
      const running = await (await import(`../servers/${name}.mjs`)).start(options);
      afterwards(running.kill);
      return running;
    },
    /** Opens a store of a server, with a client of its own. `options`: such as `client`. */
    async open(running, options) {
      const opened = await running.connect(options);
      afterwards(opened.close);
      return opened;
    },
    /** A crowd (crowd.mjs): a few processes, which want all numbers. */
    gather: (what) => gather({ server, processes: 2, leases: NUMBERS / 2, ...what }, afterwards),
    /** A crowd that holds all numbers. */
    async holders(what) {
      const all = await self.gather(what);
      await all.holding(NUMBERS, "after the start");
      return all;
    },
  };
  return self;
}

/** A request for a number, but for its token. */
export const request = {
  ...{ namespace: "calls", layout: "a layout", last: 31, mask: 0, bits: 0 },
  ...{ ttlMs: 5000, quarantineMs: 5000, label: "a story" },
};

/** A grant, which there has to be. `asked`: the request. */
export async function taken(store, token, asked = request) {
  const answer = await store.acquire({ ...asked, token });
  if (!("number" in answer)) throw new Error(`no number: ${JSON.stringify(answer)}`);
  return answer;
}
