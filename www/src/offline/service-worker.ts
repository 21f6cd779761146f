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

const NAME = `graupel-${VERSION}`;

async function keep(): Promise<void> {
  const cache = await caches.open(NAME);
  // Past the browser's own cache, which may have the files of an older version.
  await cache.addAll(
    FILES.map((path) => new Request(new URL(path, worker.registration.scope), { cache: "reload" })),
  );
}

async function dropOthers(): Promise<void> {
  for (const name of await caches.keys()) {
    if (name.startsWith("graupel-") && name !== NAME) await caches.delete(name);
  }
}

async function answer(request: Request): Promise<Response> {
  const cache = await caches.open(NAME);
  // Neither the query nor the fragment chooses a file here.
  const found = await cache.match(request, { ignoreSearch: true });
  return found ?? fetch(request);
}

worker.addEventListener("install", (event) => event.waitUntil(keep()));
worker.addEventListener("activate", (event) =>
  event.waitUntil(dropOthers().then(() => worker.clients.claim())),
);
worker.addEventListener("fetch", (event) => {
  if (event.request.method === "GET" && event.request.url.startsWith(worker.registration.scope))
    event.respondWith(answer(event.request));
});
worker.addEventListener("message", ({ data }) => {
  if (data === "take over") void worker.skipWaiting();
});

// A module of its own: the names above are not the DOM's.
export {};
