/** Registers the service worker and shows a notice when a new version of the site is available. */

/** Waits until the page has loaded, so that the two do not compete for the network. */
const loaded = (): Promise<unknown> =>
  document.readyState === "complete"
    ? Promise.resolve()
    : new Promise((done) => addEventListener("load", done, { once: true }));

/**
 * Shows a notice with a button that loads the new version. Repeated calls show only one notice. A
 * reader who keeps the old version sees the notice again on the next page.
 */
function announce(load: () => void): void {
  const notice = document.getElementById("site-version");
  if (notice === null) return;
  const button = (words: string, click: () => void) => {
    const made = document.createElement("button");
    made.type = "button";
    made.textContent = words;
    made.addEventListener("click", click);
    return made;
  };
  const leave = () => {
    notice.replaceChildren();
    notice.className = "";
  };
  notice.replaceChildren(
    "A new version of this site is available.",
    button("Reload", load),
    button("Later", leave),
  );
  notice.className = "news";
}

/** `root`: the site's root, relative to this page. */
export async function worksOffline(root: URL): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  // A page without a service worker already has the newest version, so the first worker takes over
  // silently.
  let version = serviceWorker.controller;
  let wanted = false;
  serviceWorker.addEventListener("controllerchange", () => {
    // This or another tab requested the update. This tab keeps its inputs until the reader presses
    // its own button.
    if (wanted) location.reload();
    else if (version !== null) announce(() => location.reload());
    version = serviceWorker.controller;
  });
  await loaded();
  const registration = await serviceWorker.register(new URL("service-worker.js", root), {
    scope: root.pathname,
  });
  const offer = (worker: ServiceWorker) => {
    if (worker.state !== "installed" || serviceWorker.controller === null) return;
    announce(() => {
      wanted = true;
      worker.postMessage("take over");
    });
  };
  const watch = (worker: ServiceWorker | null) => {
    if (worker === null) return;
    offer(worker);
    worker.addEventListener("statechange", () => offer(worker));
  };
  watch(registration.waiting);
  watch(registration.installing);
  registration.addEventListener("updatefound", () => watch(registration.installing));
  // The browser checks for a new version only when a page is opened, but a tab may stay open for
  // weeks.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") registration.update().catch(() => {});
  });
}
