import { begin } from "../lib/page.ts";
import "./docs.css";
import "./code.css";
import "./layout.css";
import { clockWhenNear } from "./clock/near.ts";
import { copyButtons } from "./copy-code.ts";
import { today } from "./today.ts";

/** In the column of the contents, scrolls to the page that is open; not the page itself. */
function showOpenPage(): void {
  const nav = document.querySelector<HTMLElement>(".contents .wide");
  const open = nav?.querySelector<HTMLElement>("[aria-current]");
  if (nav && open) nav.scrollTop = open.offsetTop - nav.offsetTop - nav.clientHeight / 3;
}

begin();
showOpenPage();
copyButtons();
clockWhenNear();
today();
