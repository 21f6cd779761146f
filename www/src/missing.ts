/** The page for addresses that lead to none. */
import { begin } from "./lib/page.ts";

begin();
