import { begin } from "../lib/page.ts";
import "./docs.css";
import "./code.css";
import "./layout.css";
import { today } from "./today.ts";

begin();
today();
