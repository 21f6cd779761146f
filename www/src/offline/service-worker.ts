/**
 * Makes the site work without a network: keeps every file of one version, and answers from them. A new version is fetched whole,
 * beside the old one, and takes over when the page says so.
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

/** The worker's global scope; the compiler's library has no types for it beside the DOM's. */
const worker = self as unknown as {
  addEventListener(type: "install" | "activate", listener: (event: Event) => void): void;
  addEventListener(type: "fetch", listener: (event: FetchEvent) => void): void;
  addEventListener(type: "message", listener: (event: MessageEvent) => void): void;
  skipWaiting(): Promise<void>;
  readonly clients: { claim(): Promise<void> };
  readonly registration: { readonly scope: string };
};

/** The build puts the site's version, and the paths of its files, in place of these. */
const VERSION = "%VERSION%";
const FILES: readonly string[] = JSON.parse("%FILES%");

/** Other sites may share the origin, and with it the caches: another path has another prefix. */
const PREFIX = `graupel ${new URL(worker.registration.scope).pathname}`;
const NAME = `${PREFIX}-${VERSION}`;

/** A file is the same for all requests. */
const ANY_HEADERS = { ignoreSearch: true, ignoreVary: true };

const urlOf = (path: string): string => new URL(path, worker.registration.scope).href;

/** The names of a file in assets/ changes with its content. */
const isHashed = (path: string): boolean => path.startsWith("assets/");

/**
 * A file as it is kept. One whose name changes with its content may come from the older version, or from the browser's own
 * cache; any other might be out of date there.
 */
async function fetched(path: string): Promise<Response> {
  const kept = isHashed(path) ? await caches.match(urlOf(path), ANY_HEADERS) : undefined;
  if (kept !== undefined) return kept;
  const response = await fetch(urlOf(path), { cache: isHashed(path) ? "default" : "reload" });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  // A page must not be answered with a response that remembers a redirect of the host.
  return response.redirected ? new Response(response.body, { headers: response.headers }) : response;
}

/** All files or none: a version that is not whole is not installed. */
async function keep(): Promise<void> {
  const cache = await caches.open(NAME);
  try {
    await Promise.all(FILES.map(async (path) => cache.put(urlOf(path), await fetched(path))));
  } catch (error) {
    await caches.delete(NAME);
    throw error;
  }
}

/** The last version stays: a tab that still shows it may yet need one of its files. */
async function dropOld(): Promise<void> {
  const names = await caches.keys();
  const others = names.filter((name) => name.startsWith(`${PREFIX}-`) && name !== NAME);
  for (const name of others.slice(0, -1)) await caches.delete(name);
}

/** A file of this version; of the last one, if this one has no such file. */
async function found(url: string): Promise<Response | undefined> {
  return (
    (await caches.match(url, { ...ANY_HEADERS, cacheName: NAME })) ?? (await caches.match(url, ANY_HEADERS))
  );
}

async function answer(request: Request): Promise<Response> {
  const url = new URL(request.url);
  // Neither the query nor the fragment chooses a file here.
  url.search = "";
  url.hash = "";
  const kept = await found(url.href.replace(/\/index\.html$/, "/"));
  if (kept !== undefined) return kept;
  // A folder without its slash, as a host redirects it too. The page's links are relative, so they need the slash.
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

// A module of its own: the names above are not the DOM's.
export {};
