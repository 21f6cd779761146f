import { render } from "preact";
import { begin } from "../lib/page.ts";
import { Choose } from "./choose.tsx";

begin();
render(<Choose />, document.getElementById("app") as HTMLElement);
