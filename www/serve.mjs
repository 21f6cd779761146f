// Serves the built site on the loopback interface as a host of static files does: compressed, a folder's address ends with a
// slash, and what is not there is answered with 404 and the page 404.html.

import { createServer } from "node:http";
import { Refusal } from "../xtask/lib/process.mjs";

/** Resolves to the server's address, and a function that ends it. Port 0 takes a free one. */
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
