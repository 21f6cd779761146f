import { begin } from "../lib/page.ts";

begin();
