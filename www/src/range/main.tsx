import { render } from "preact";
import { begin } from "../lib/page.ts";
import { RangePage } from "./range.tsx";

begin();
render(<RangePage />, document.getElementById("app") as HTMLElement);
