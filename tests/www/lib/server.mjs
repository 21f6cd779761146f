// Serves the site like a static file host: under a subpath, with the index page of a folder, a
// redirect to the address with a trailing slash, compressed text, and responses that browsers may
// cache for ten minutes.

import { statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { contentOf, serve } from "../../support/server.mjs";
import { PRELUDE } from "../../support/watch.mjs";

/** The path of the site. */
const UNDER = "/some/where/";

/**
 * Serves the files of a directory. Each page's scripts also record its errors (support/watch.mjs).
 */
export async function serveSite(directory) {
  /** The requests and their response statuses. */
  const log = [];
  /** Replaced files, by their paths below the site's root. `null` removes a file. */
  const changed = new Map();
  /** Redirects from one path below the site's root to another. */
  const redirects = new Map();
  /** Cached responses, so that each file is read and compressed once. */
  const ready = new Map();

  function fileAt(path) {
    const found = changed.has(path) ? changed.get(path) : contentOf(directory, path);
    if (found === undefined || found === null) return undefined;
    const isScript = path.startsWith("assets/") && path.endsWith(".js");
    const content = isScript ? `${PRELUDE}${found}` : found;
    return { content, packed: path.endsWith(".png") ? undefined : gzipSync(content) };
  }

  function answerTo(pathname, encodings) {
    if (!pathname.startsWith(UNDER)) return { status: 404 };
    const below = decodeURIComponent(pathname.slice(UNDER.length));
    if (redirects.has(below)) return { status: 302, headers: { location: UNDER + redirects.get(below) } };
    const isFolder = statSync(join(directory, below), { throwIfNoEntry: false })?.isDirectory();
    if (isFolder && !pathname.endsWith("/")) return { status: 301, headers: { location: `${pathname}/` } };
    const path = isFolder ? `${below}index.html` : below;
    if (!ready.has(path)) ready.set(path, fileAt(path));
    if (ready.get(path) === undefined) return { status: 404 };
    const { content, packed } = ready.get(path);
    const headers = { "cache-control": "max-age=600", vary: "accept-encoding" };
    return packed !== undefined && /\bgzip\b/.test(encodings)
      ? { content: packed, headers: { ...headers, "content-encoding": "gzip" } }
      : { content, headers };
  }

  const { origin, start, stop } = await serve(({ path, request: { method, url, headers } }) => {
    const answer = answerTo(path, headers["accept-encoding"] ?? "");
    log.push({ method, url, status: answer.status ?? 200 });
    return answer;
  });
  return {
    origin,
    under: UNDER,
    root: origin + UNDER,
    log,
    start,
    stop,
    change(path, content) {
      ready.delete(path);
      changed.set(path, content);
    },
    redirect: (from, to) => redirects.set(from, to),
  };
}
