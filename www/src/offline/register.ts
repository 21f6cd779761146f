/** Registers the service worker, and says when a new version of the site is there. */

/** Shows the line in the foot of the page, with a button that loads the new version. */
function announce(waiting: ServiceWorker): void {
  const line = document.getElementById("site-version");
  if (line === null) return;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = "Load it";
  button.addEventListener("click", () => {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
    waiting.postMessage("take over");
  });
  line.replaceChildren("There is a new version of this site. ", button);
  line.className = "news";
}

/** `root`: the site's root, relative to this page. */
export async function worksOffline(root: URL): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const registration = await navigator.serviceWorker.register(new URL("service-worker.js", root), {
    scope: root.pathname,
  });
  const installed = (worker: ServiceWorker | null) => {
    // The first version of all takes over silently.
    if (worker?.state === "installed" && navigator.serviceWorker.controller !== null) announce(worker);
  };
  installed(registration.waiting);
  registration.addEventListener("updatefound", () => {
    const worker = registration.installing;
    worker?.addEventListener("statechange", () => installed(worker));
  });
}
