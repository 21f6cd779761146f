/** Registers the service worker, and shows a notice when there is a new version of the site. */

/** After the page has loaded, so that the two do not compete for the network. */
const loaded = (): Promise<unknown> =>
  document.readyState === "complete"
    ? Promise.resolve()
    : new Promise((done) => addEventListener("load", done, { once: true }));

/**
 * Shows the notice, with a button that loads the new version. Repeated calls show only one notice.
 * A reader who keeps this version sees it again on the next page.
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
  // A page without a service worker is the newest version, so the first one takes over silently.
  let version = serviceWorker.controller;
  let wanted = false;
  serviceWorker.addEventListener("controllerchange", () => {
    // The update was requested here or in another tab. This tab keeps its inputs until its own
    // button is pressed.
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
