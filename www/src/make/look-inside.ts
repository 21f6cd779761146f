/** Links to the page that looks inside an ID. */
import { root } from "../lib/page.ts";
import { subjectOf, type Texts, textOf } from "../lib/subjects.ts";

/** That page's names of the formats that are declared. */
const KINDS: Readonly<Record<string, string>> = {
  nanoflake: "nanoflake",
  snowflake: "snowflake",
  "snowflake-si": "snowflakeSI",
};

/** Settings that a link there has no words for. */
const OTHERS = ["layout", "clockBits", "machineBits", "sequenceBits"];

/** The address for IDs of these inputs, up to the ID itself; `undefined` where that page cannot be told of them. */
export function lookInside(texts: Texts): string | undefined {
  const { name, declares, settings } = subjectOf(texts.format);
  const text = (key: string) => {
    const setting = settings.find((each) => each.key === key);
    return setting === undefined ? "" : textOf(setting, texts);
  };
  if (OTHERS.some((key) => text(key) !== "") || (!declares && text("epoch") !== "")) return undefined;
  const pairs = {
    format: name,
    kind: KINDS[name] ?? "",
    ...(declares && { epoch: text("epoch"), fields: text("fields"), tick: text("tickMs") }),
  };
  const given = Object.entries(pairs).filter(([, value]) => value !== "");
  return `${root().href}#${new URLSearchParams(given)}&id=`;
}
