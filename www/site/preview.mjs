// Draws the preview picture of a link to a page: the page's title above the bits of an ID. The
// build brings its own font, so that every machine draws the same picture.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fromRoot } from "../../xtask/lib/process.mjs";

/** The size that Open Graph recommends, in pixels. */
export const PREVIEW = { width: 1200, height: 630 };

/** The ID that Discord's documentation takes apart. */
const EXAMPLE = 175928847299117063n;

const COLOURS = { paper: "#14171c", ink: "#e7eaee", quiet: "#a1aab6" };

const require = createRequire(import.meta.url);
const fileOf = (name) => readFileSync(require.resolve(name));

/** Creates an element for satori. */
const box = (style, ...children) => ({
  type: "div",
  props: { style: { display: "flex", ...style }, children },
});

/** Draws the bits of the example, each in the colour of its field. */
async function bits() {
  const { facts } = await import("graupel/facts");
  const { kinds, roles } = JSON.parse(readFileSync(fromRoot("js", "cli", "palette.json"), "utf8"));
  const colours = facts.discord.fields.flatMap(({ role, bits }) => Array(bits).fill(kinds[roles[role]].dark));
  const digits = EXAMPLE.toString(2).padStart(facts.discord.bits, "0");
  const cell = { width: 29, height: 52, justifyContent: "center", alignItems: "center", fontSize: 26 };
  const cells = colours.map((colour, i) =>
    box({ ...cell, color: colour, borderBottom: `4px solid ${colour}` }, digits[i]),
  );
  return box({ flexWrap: "wrap", width: 32 * 33, gap: "14px 4px" }, ...cells);
}

function page({ title, line }, drawn) {
  const icon = `data:image/svg+xml;base64,${readFileSync(fromRoot("www", "public", "icon.svg")).toString("base64")}`;
  const name = box(
    { alignItems: "center", gap: 20, fontSize: 36 },
    { type: "img", props: { src: icon, width: 56, height: 56 } },
    "graupel",
  );
  const words = box(
    { flexDirection: "column", gap: 18 },
    box({ fontSize: title.length > 30 ? 56 : 72, lineHeight: 1.1 }, title),
    box({ fontSize: 30, lineHeight: 1.35, color: COLOURS.quiet, maxHeight: 122, overflow: "hidden" }, line),
  );
  const frame = { ...PREVIEW, boxSizing: "border-box", padding: 72 };
  const column = { flexDirection: "column", justifyContent: "space-between" };
  return box(
    { ...frame, ...column, background: COLOURS.paper, color: COLOURS.ink, fontFamily: "Inter" },
    name,
    words,
    drawn,
  );
}

/** Resolves to a function that draws the picture of a page, `{ title, line }`, as PNG. */
export async function previews() {
  const [{ default: satori }, { initWasm, Resvg }] = await Promise.all([
    import("satori"),
    import("@resvg/resvg-wasm"),
  ]);
  await initWasm(fileOf("@resvg/resvg-wasm/index_bg.wasm"));
  const data = fileOf("@fontsource/inter/files/inter-latin-600-normal.woff");
  const fonts = [{ name: "Inter", data, weight: 600, style: "normal" }];
  const drawn = await bits();
  return async (words) => {
    const svg = await satori(page(words, drawn), { ...PREVIEW, fonts });
    return new Resvg(svg).render().asPng();
  };
}
