// A door in front of a server, on a port of its own: it can be shut, and led to another server.

import { connect, createServer } from "node:net";

export async function doorTo(port) {
  /** The two ends of each connection. */
  const ends = new Set();
  let target = port;
  let isShut = false;
  const turn = (end) => (isShut ? end.pause() : end.resume());

  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ]) {
      const end = () => {
        ends.delete(one);
        other.destroy();
      };
      ends.add(one);
      one.on("error", end).on("close", end);
      one.on("data", (bytes) => other.write(bytes));
      if (isShut) turn(one);
    }
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));

  /** Ends all connections. New ones go to another server, if one is given. */
  function cut(to = target) {
    target = to;
    for (const end of ends) end.destroy();
  }
  return {
    port: server.address().port,
    /** Nothing passes any more, and nobody is told; or passes again. */
    shut(shut) {
      isShut = shut;
      ends.forEach(turn);
    },
    cut,
    close() {
      cut();
      server.close();
    },
  };
}
