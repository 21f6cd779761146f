import { begin } from "../lib/page.ts";
import "./docs.css";
import "./code.css";
import "./layout.css";
import "./search/search.css";
import { clockWhenNear } from "./clock/near.ts";
import { searchBox } from "./search/box.ts";
import { today } from "./today.ts";

begin();
searchBox();
clockWhenNear();
today();
