/** The script of the page for unknown addresses. */
import { begin } from "./lib/page.ts";

begin();
