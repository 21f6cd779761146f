import { render } from "preact";
import { begin } from "../lib/page.ts";
import { Look } from "./look.tsx";

begin();
const place = document.getElementById("app");
if (place !== null) render(<Look />, place);
