/** What every page begins with. */
import "virtual:palette.css";
import "../style.css";
import { worksOffline } from "../offline/register.ts";

/** The site's root: the link of the page's name leads there. */
export const root = (): URL =>
  new URL(document.querySelector<HTMLAnchorElement>("a.brand")?.href ?? location.href);

/** Failing to register (an old browser, a page opened as a file) costs nothing but the work without a network. */
export function begin(): void {
  worksOffline(root()).catch((error: unknown) => console.info("not available without a network:", error));
}
