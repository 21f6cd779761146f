/** What every page begins with. */
import "virtual:palette.css";
import "../style.css";
import "../frame.css";
import { worksOffline } from "../offline/register.ts";
import { searchOnDemand } from "../search/on-demand.ts";
import { copyInstallLine } from "./install.ts";

/** The site's root: the link of the page's name leads there. */
export const root = (): URL =>
  new URL(document.querySelector<HTMLAnchorElement>("a.brand")?.href ?? location.href);

/**
 * Starts what every page needs. If registering fails (an old browser, a page opened as a file), the
 * page only does not work offline.
 */
export function begin(): void {
  searchOnDemand(root());
  copyInstallLine();
  worksOffline(root()).catch((error: unknown) => console.info("not available without a network:", error));
}
