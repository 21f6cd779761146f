import { render } from "preact";
import { begin } from "../lib/page.ts";
import { Make } from "./make.tsx";

begin();
render(<Make />, document.getElementById("app") as HTMLElement);
