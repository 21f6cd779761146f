/** Registers the service worker, and says when a new version of the site is there. */

/** Once the page has loaded: until then the network is the page's own. */
const loaded = (): Promise<unknown> =>
  document.readyState === "complete"
    ? Promise.resolve()
    : new Promise((done) => addEventListener("load", done, { once: true }));

/**
 * Shows the notice, with a button that loads the new version. It is there once, however often it is called; who goes on with this
 * version sees it again on the next page.
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
    "There is a new version of this site.",
    button("Reload", load),
    button("Later", leave),
  );
  notice.className = "news";
}

/** `root`: the site's root, relative to this page. */
export async function worksOffline(root: URL): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  // Whoever has no worker yet has the newest version: the first one takes over silently.
  let version = serviceWorker.controller;
  let wanted = false;
  serviceWorker.addEventListener("controllerchange", () => {
    // Asked for here, or in another tab: this one keeps what has been typed until its own button is pressed.
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
  // The browser looks for a new version when a page is opened. A tab may stay open for weeks.
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") registration.update().catch(() => {});
  });
}
