// A plain static server on the loopback interface, as a host of static files is: under a path of its own, with the index page of a
// folder, a redirect to the address with a slash, compressed text, and an answer that the browser may keep for ten minutes.

import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { PRELUDE } from "./watch.mjs";

/** The path that the site is served under. */
const UNDER = "/some/where/";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json",
  ".webmanifest": "application/manifest+json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".md": "text/markdown; charset=utf-8",
  ".txt": "text/plain; charset=utf-8",
};

const isText = (path) => extname(path) !== ".png";

/**
 * Serves the files of a directory at a free port. `watched`: the scripts also note what goes wrong on a page (lib/watch.mjs).
 */
export async function serve(directory, { under = UNDER, watched = true } = {}) {
  /** What was asked for, and the status of the answer. */
  const log = [];
  /** Files whose content is another one here, by their path below the root of the site. */
  const changed = new Map();
  /** Redirects of the host: from one path below the root of the site to another. */
  const redirects = new Map();
  /** Answers, so that each file is read and compressed once. */
  const ready = new Map();

  function fileAt(path) {
    if (changed.get(path) === null) throw new Error(`${path} was removed`);
    let content = changed.get(path) ?? readFileSync(join(directory, path));
    if (watched && path.startsWith("assets/") && path.endsWith(".js")) content = `${PRELUDE}${content}`;
    return { content: Buffer.from(content), packed: isText(path) ? gzipSync(content) : undefined };
  }

  function answerTo(url) {
    const { pathname } = new URL(url, "http://localhost");
    if (!pathname.startsWith(under)) return { status: 404 };
    const below = normalize(decodeURIComponent(pathname.slice(under.length))).replace(/^\.$/, "");
    if (below.startsWith("..")) return { status: 404 };
    if (redirects.has(below)) return { status: 302, to: under + redirects.get(below) };
    const found = statSync(join(directory, below), { throwIfNoEntry: false });
    if (found?.isDirectory() && !pathname.endsWith("/")) return { status: 301, to: `${pathname}/` };
    const path = found?.isDirectory() ? join(below, "index.html") : below;
    try {
      if (!ready.has(path)) ready.set(path, fileAt(path));
      return { status: 200, path, ...ready.get(path) };
    } catch {
      return { status: 404 };
    }
  }

  const server = createServer((request, response) => {
    const { status, to, path, content, packed } = answerTo(request.url);
    log.push({ method: request.method, url: request.url, status });
    if (to !== undefined) return response.writeHead(status, { location: to }).end();
    if (content === undefined) return response.writeHead(status).end("not here\n");
    const headers = { "content-type": TYPES[extname(path)] ?? "application/octet-stream" };
    headers["cache-control"] = "max-age=600";
    headers.vary = "accept-encoding";
    const pack = packed !== undefined && /\bgzip\b/.test(request.headers["accept-encoding"] ?? "");
    if (pack) headers["content-encoding"] = "gzip";
    return response.writeHead(status, headers).end(pack ? packed : content);
  });
  const listen = (port) =>
    new Promise((done, fail) => {
      server.once("error", fail);
      server.listen(port, "127.0.0.1", done);
    });
  await listen(0);
  const { port } = server.address();
  const origin = `http://127.0.0.1:${port}`;

  /** From now on connections are refused, as without a network. */
  const stop = () =>
    new Promise((done) => {
      server.close(done);
      server.closeAllConnections();
    });
  return {
    origin,
    under,
    root: origin + under,
    log,
    stop,
    start: () => listen(port),
    /** Gives a file another content, by its path below the root; `null`: there is no such file any more. */
    change(path, content) {
      ready.delete(path);
      changed.set(path, content);
    },
    redirect: (from, to) => redirects.set(from, to),
    async close() {
      if (server.listening) await stop();
    },
  };
}
