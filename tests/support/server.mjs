// A server of pages on the loopback interface.

import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import consumers from "node:stream/consumers";

const TYPES = {
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json",
  ".md": "text/markdown; charset=utf-8",
  ".mjs": "text/javascript; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".txt": "text/plain; charset=utf-8",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** The content of a file below a folder; undefined if it does not exist. */
export function contentOf(folder, path) {
  try {
    return readFileSync(join(folder, normalize(`/${path}`)));
  } catch {
    return undefined;
  }
}

/**
 * Serves at a free port. `answer` gets the path, the query and the body of a request, and the
 * request itself. It returns `content`, `headers` and `status`, or a promise of them. Without
 * content, the response is 404. The media type follows the file extension of the path; without one,
 * it is HTML.
 */
export async function serve(answer) {
  const server = createServer(async (request, response) => {
    const { pathname: path, searchParams: query } = new URL(request.url, "http://localhost");
    const body = request.method === "POST" ? await consumers.buffer(request) : undefined;
    const { content, headers, status } = await answer({ path, query, body, request });
    const type = TYPES[extname(path)] ?? "text/html; charset=utf-8";
    response.writeHead(status ?? (content === undefined ? 404 : 200), { "content-type": type, ...headers });
    response.end(content ?? "not here\n");
  });
  const listen = (port) =>
    new Promise((done, fail) => {
      server.once("error", fail);
      server.listen(port, "127.0.0.1", done);
    });
  await listen(0);
  const { port } = server.address();
  return {
    origin: `http://127.0.0.1:${port}`,
    /** Stops the server. New connections are refused, as without a network. */
    stop: () =>
      new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      }),
    start: () => listen(port),
  };
}
