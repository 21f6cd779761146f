// A door in front of a server, on a port of its own: it can be shut, led to another server, and made to swallow answers.

import { connect, createServer } from "node:net";

export async function doorTo(port) {
  const pairs = new Set();
  let target = port;
  let isShut = false;
  let swallows = false;
  let swallowed = false;

  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    const pair = { near, far };
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    near.on("error", end).on("close", end);
    far.on("error", end).on("close", end);
    near.on("data", (bytes) => far.write(bytes));
    far.on("data", (bytes) => {
      if (swallows) swallowed = true;
      else near.write(bytes);
    });
    if (isShut) pause(pair, true);
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));

  function pause({ near, far }, isPaused) {
    for (const end of [near, far]) isPaused ? end.pause() : end.resume();
  }

  function cut(to = target) {
    target = to;
    for (const { near, far } of pairs) {
      near.destroy();
      far.destroy();
    }
  }

  return {
    port: server.address().port,
    /** Nothing passes any more, and nobody is told; or passes again. */
    shut(shut) {
      isShut = shut;
      for (const pair of pairs) pause(pair, shut);
    },
    /** Requests pass, and answers do not. */
    swallow(swallow) {
      swallows = swallow;
      swallowed = false;
    },
    /** Whether an answer was lost since `swallow(true)`. */
    hasSwallowed: () => swallowed,
    /** Ends all connections. New ones go to another server, if one is given. */
    cut,
    close() {
      cut();
      server.close();
    },
  };
}
