// Draws what a format's page shows above its text: the layout, the time span and the capacity. All
// figures come from the package's facts, which the site's own code uses, too.

import { readFileSync } from "node:fs";
import { facts } from "graupel/facts";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { bitsInWords, drawings, fieldsOf, wordsOf } from "./bits.mjs";
import { formatsOn } from "./pages.mjs";

/** The epoch in the example for formats whose epoch you choose. */
const EXAMPLE = Date.UTC(2025, 0, 1);

/** The display names of the formats. */
const { formats: words } = JSON.parse(readFileSync(fromRoot("js", "cli", "words.json"), "utf8"));

/**
 * The values to show for a format. An alternative layout has the name of its format and its own
 * name.
 */
function shown({ name, export: code, given, epoch, lifeMs, bits, tickMs, fields, capacity }) {
  const [layout] = Object.values(given);
  const from = epoch ?? EXAMPLE;
  return {
    name,
    title: words[name]?.title ?? `${code}, ${layout}`,
    other: layout !== undefined,
    example: epoch === null,
    format: { layout: { bits, tickMs, fields }, epoch: from, endOfLife: from + lifeMs, capacity },
    policies: facts[name].options.find((option) => option.name === "clockBackwards").words,
  };
}

/** The formats of a page; empty if the page is not about a format. */
const formatsOf = (place) => formatsOn(place.replace("formats/", "")).map(shown);

/** Field names of at most this length are never broken. */
const LONG = 13;

const count = (n) => n.toLocaleString("en-US");
const date = (ms) => new Date(ms).toISOString().slice(0, 10);
const YEAR_MS = 365.2425 * 24 * 3600 * 1000;
const years = (ms) => `${count(Number((ms / YEAR_MS).toFixed(1)))} years`;

/** Describes the content of a field. */
function holds(field, { tickMs }) {
  const values = 2 ** field.bits;
  if (field.kind === "time")
    return `${tickMs === 1 ? "milliseconds" : `ticks of ${tickMs} ms`} since the epoch`;
  if (field.kind === "tickTock") return "toggled when the clock goes back";
  if (field.kind === "unused") return "always 0";
  const range = values === 2 ? "0 or 1" : `0 to ${count(values - 1)}`;
  if (field.kind === "random") return `${range}, drawn at random`;
  return field.kind === "sequence" ? `${range}, counts within a tick` : range;
}

/** Lets a name that is too long for a phone break between its words. */
const breakable = (name) => (name.length > LONG ? name.replaceAll(/(?=[A-Z])/g, "<wbr>") : name);

function fieldsTable({ layout }) {
  const rows = fieldsOf(layout).map(
    (
      field,
    ) => `<tr><td><div class="field-name"><span class="letter kind-${field.kind}">${field.letter}</span> <span>${breakable(field.name)}</span> <small>${wordsOf(field.kind)}</small></div></td>
<td>${bitsInWords(field).replace(/^bits? /, "")}<small>${field.bits} wide</small></td><td>${holds(field, layout)}</td></tr>`,
  );
  const head = ["field and kind", "bits", "holds"].map((name) => `<th scope="col">${name}</th>`);
  return `<table><thead><tr>${head.join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

/**
 * The time span of a format. A script on the page marks today on it, because the page may be read
 * long after the build.
 */
function timeLine({ format: { epoch, endOfLife }, example }) {
  const first = example ? `${date(epoch)}, if that is your epoch` : `epoch ${date(epoch)}`;
  return `<div class="span" data-epoch="${epoch}" data-end="${endOfLife}">
<svg viewBox="0 0 1000 10" preserveAspectRatio="none" aria-hidden="true"><rect class="whole" width="1000" height="10"/><rect class="gone" width="0" height="10"/></svg>
<p class="ends"><span>${first}</span> <span>last ${date(endOfLife)}</span></p>
<p class="today">${years(endOfLife - epoch)} in all</p>
</div>`;
}

function capacity({ format: { layout, capacity: inTick } }) {
  const fields = fieldsOf(layout);
  const random = fields.some(({ kind }) => kind === "random");
  // On average, a tick starts in the middle of its range, and each step is a random byte.
  const room = (ids) => (random ? `about ${count(ids / 256)}` : count(ids));
  const machines = fields.filter(({ kind }) => kind === "machine");
  const number = 2 ** machines.reduce((sum, { bits }) => sum + bits, 0);
  const names = machines.map(({ name }) => name).join(" and ");
  const facts = [
    [`IDs per tick (${layout.tickMs} ms)`, room(inTick)],
    ["IDs per second", room((inTick * 1000) / layout.tickMs)],
    ["machines at a time", machines.length === 0 ? "not distinguished" : `${count(number)} (${names})`],
  ];
  return `<dl class="capacity">${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join("")}</dl>`;
}

/** The pictures of a page's formats; empty if the page is not about a format. */
export function pictures(place) {
  return formatsOf(place)
    .map(
      (one) => `<figure class="layout">
<figcaption><strong>${one.title}</strong> ${one.format.layout.bits} bits</figcaption>
${drawings({ name: one.title, layout: one.format.layout })}
${fieldsTable(one.format)}
${timeLine(one)}
${capacity(one)}
</figure>
`,
    )
    .join("");
}

/**
 * The element in which a script shows the clock that readers can push back. Alternative layouts are
 * left out, because they behave the same.
 */
export const clock = (place) => {
  const formats = formatsOf(place).filter(({ other }) => !other);
  const names = formats.map(({ name }) => name).join("|");
  const lanes = formats[0]?.policies.length;
  return `<section class="clock" data-formats="${names}" data-lanes="${lanes}" aria-labelledby="push-the-clock-back">
<h3 id="push-the-clock-back"><a class="anchor" href="#push-the-clock-back">Push the clock back</a></h3>
<div class="stage"><noscript><p>This part needs JavaScript.</p></noscript></div>
</section>
`;
};
