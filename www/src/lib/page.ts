/** The start of every page. */
import "virtual:palette.css";
import "../style.css";
import "../frame.css";
import { worksOffline } from "../offline/register.ts";
import { searchOnDemand } from "../search/on-demand.ts";
import { copyInstallLine } from "./install.ts";

/** The root of the site, which is the target of the link with the site's name. */
export const root = (): URL =>
  new URL(document.querySelector<HTMLAnchorElement>("a.brand")?.href ?? location.href);

/**
 * Starts everything that all pages need. If registering fails (in an old browser, or on a page
 * opened as a file), the page works, but not offline.
 */
export function begin(): void {
  searchOnDemand(root());
  copyInstallLine();
  worksOffline(root()).catch((error: unknown) => console.info("not available without a network:", error));
}
