// A proxy in front of a server, on its own port. It can be shut, and redirected to another server.

import { connect, createServer } from "node:net";

export async function doorTo(port) {
  /** Both ends of each connection. */
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

  /** Closes all connections. New connections go to `to`. */
  function cut(to = target) {
    target = to;
    for (const end of ends) end.destroy();
  }
  return {
    port: server.address().port,
    /** Blocks or unblocks all traffic. A blocked connection stays open. */
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
