// Serves the built site on the loopback interface the way static hosts do: responses are
// compressed, the address of a folder ends with a slash, and an unknown address gets status 404 and
// the page 404.html.

import { createServer } from "node:http";
import { Refusal } from "../xtask/lib/process.mjs";

/**
 * Resolves to the server's address and a function that stops the server. Port 0 picks a free port.
 */
export async function serveSite(directory, port) {
  const { default: answer } = await import("serve-handler");
  const { default: compression } = await import("compression");
  const compress = compression();
  const options = { public: directory, trailingSlash: true, directoryListing: false };
  const server = createServer((request, response) =>
    compress(request, response, () => answer(request, response, options)),
  );
  await new Promise((done, fail) => {
    server.once("error", ({ code, message }) =>
      fail(new Refusal(code === "EADDRINUSE" ? `port ${port} is taken: choose one with --port` : message)),
    );
    server.listen(port, "127.0.0.1", done);
  });
  return {
    address: `http://127.0.0.1:${server.address().port}/`,
    close: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
  };
}
