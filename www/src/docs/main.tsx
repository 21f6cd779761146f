import { begin } from "../lib/page.ts";
import "./docs.css";
import "./code.css";
import "./layout.css";
import { clockWhenNear } from "./clock/near.ts";
import { copyButtons } from "./copy-code.ts";
import { today } from "./today.ts";

/**
 * Scrolls the list of contents to the open page if it is not visible there. The page itself does
 * not scroll.
 */
function showOpenPage(): void {
  const nav = document.querySelector<HTMLElement>(".contents .wide");
  const open = nav?.querySelector<HTMLElement>("[aria-current]");
  if (!nav || !open) return;
  const at = open.offsetTop - nav.offsetTop;
  if (at > (nav.clientHeight * 2) / 3) nav.scrollTop = at - nav.clientHeight / 3;
}

begin();
showOpenPage();
copyButtons();
clockWhenNear();
today();
