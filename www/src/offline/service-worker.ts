/**
 * Makes the site work offline: caches every file of one version and serves them from the cache. A
 * new version is downloaded as a whole, beside the old one, and takes over when the page requests
 * it.
 */

interface Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}
interface MessageEvent extends Event {
  readonly data: unknown;
}

/** The worker's global scope. TypeScript's library for the DOM has no types for it. */
const worker = self as unknown as {
  addEventListener(type: "install" | "activate", listener: (event: Event) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly scope: string };
};

/** The build replaces these with the site's version and the paths of its files. */
const VERSION = "%VERSION%";
const FILES: readonly string[] = JSON.parse("%FILES%");

/** Other sites on the same origin share its caches. The path keeps their names apart. */
const PREFIX = `graupel ${new URL(worker.registration.scope).pathname}`;
const NAME = `${PREFIX}-${VERSION}`;

/** The content of a file does not depend on the request's query and headers. */
const ANY_HEADERS = { ignoreSearch: true, ignoreVary: true };

const urlOf = (path: string): string => new URL(path, worker.registration.scope).href;

/** The name of a file in assets/ changes with its content. */
const isHashed = (path: string): boolean => path.startsWith("assets/");

/**
 * Fetches a file for the cache. If its name changes with its content, the copy of an older version
 * or of the browser's own cache is good. Any other copy might be outdated.
 */
async function fetched(path: string): Promise<Response> {
  const kept = isHashed(path) ? await caches.match(urlOf(path), ANY_HEADERS) : undefined;
  if (kept !== undefined) return kept;
  const response = await fetch(urlOf(path), { cache: isHashed(path) ? "default" : "reload" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  // The answer to a navigation must not be a redirected response, so copy its content.
  return response.redirected ? new Response(response.body, { headers: response.headers }) : response;
}

/** Caches all files or none: an incomplete version is not installed. */
async function keep(): Promise<void> {
  const cache = await caches.open(NAME);
  try {
    await Promise.all(FILES.map(async (path) => cache.put(urlOf(path), await fetched(path))));
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
}

/** Keeps the previous version, because a tab that still shows it may need one of its files. */
async function dropOld(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(`${PREFIX}-`) && name !== NAME);
  for (const name of others.slice(0, -1)) await caches.delete(name);
}

/** Finds a file of this version, or else of the previous one. */
async function found(url: string): Promise<Response | undefined> {
  return (
    (await caches.match(url, { ...ANY_HEADERS, cacheName: NAME })) ?? (await caches.match(url, ANY_HEADERS))
  );
}

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  // Neither the query nor the fragment selects a file.
  url.search = "";
  url.hash = "";
  const kept = await found(url.href.replace(/\/index\.html$/, "/"));
  if (kept !== undefined) return kept;
  // Redirect the address of a folder without a slash, as a host does, because the page's relative
  // links need the slash.
  if (request.mode === "navigate" && !url.pathname.endsWith("/")) {
    url.pathname += "/";
    if ((await found(url.href)) !== undefined) {
      url.search = new URL(request.url).search;
      return Response.redirect(url.href, 301);
    }
  }
  return fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) => event.waitUntil(dropOld().then(() => worker.clients.claim())));
worker.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(worker.registration.scope))
    event.respondWith(answer(event.request));
});
worker.addEventListener("message", ({ data }) => {
  if (data === "take over") void worker.skipWaiting();
});

// Makes this file a module, so that its names do not clash with the DOM's.
export {};
