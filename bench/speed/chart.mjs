// The chart in the README: the time of a call, in units of Date.now(), for graupel's formats and the other packages. It is
// drawn from the figures alone. It has no background, and colours that are visible on white and on black.

const WIDTH = 860;
const [LEFT, RIGHT] = [215, 150];
/** Longer bars are cut, in D; the number beside a bar is always the true one. */
const MOST = 12;
const UNIT = (WIDTH - LEFT - RIGHT) / MOST;
const [ROW, BAR, GAP] = [19, 7, 34];
const HEAD = 64;

const OURS = "#1a8fc4";
const THEIRS = "#8b8f96";
const INK = "#757b84";
/** Opacity of the bars of all Node versions but the last. */
const PALE = 0.5;

const PANELS = [
  ["next", "generate an ID"],
  ["parse", "parse its text"],
  ["inspect", "inspect its fields"],
];

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const text = (x, y, content, more = "") => `<text x="${x}" y="${y}"${more}>${escaped(content)}</text>`;
const rounded = (n) => Number(n.toFixed(1));

/** The rows of a panel, the fastest on the last Node version first: a name, and its ratio to D on each version. */
function rowsOf(runs, operation) {
  const byRun = runs.map(
    ({ cases }) =>
      new Map(cases.filter((one) => one.operation === operation).map((one) => [one.subject, one])),
  );
  const names = [...(byRun.at(-1)?.keys() ?? [])].filter((name) => byRun.every((cases) => cases.has(name)));
  const rows = names.map((name) => ({ name, ratios: byRun.map((cases) => cases.get(name).toD.median) }));
  return rows.sort((a, b) => a.ratios.at(-1) - b.ratios.at(-1));
}

function drawRow({ name, ratios }, y, ours) {
  const bars = ratios.map((ratio, i) => {
    const length = rounded(Math.min(ratio, MOST) * UNIT);
    const opacity = i === ratios.length - 1 ? 1 : PALE;
    return `<rect x="${LEFT}" y="${y + 2 + i * BAR}" width="${length}" height="${BAR}" fill="${ours ? OURS : THEIRS}" opacity="${opacity}"/>`;
  });
  const end = LEFT + Math.min(Math.max(...ratios), MOST) * UNIT;
  const cut = ratios.some((ratio) => ratio > MOST) ? "› " : "";
  const numbers = ratios.map((ratio) => ratio.toFixed(ratio < 10 ? 2 : 0)).join(" · ");
  return [
    text(LEFT - 8, y + 13, name, ` text-anchor="end"${ours ? ` fill="${OURS}" font-weight="600"` : ""}`),
    ...bars,
    text(rounded(end + 6), y + 13, cut + numbers),
  ];
}

/** The SVG of one or more runs of the bench. */
export function chart({ runs }) {
  const nodes = runs.map(({ node }) => `Node ${node}`).join(" · ");
  const drawn = [
    text(8, 18, "graupel and other packages", ' font-size="16" font-weight="600"'),
    text(
      8,
      38,
      `in D, the time of one Date.now(), median of ${runs[0].plan.rounds} rounds; shorter is faster; ${nodes}`,
    ),
  ];
  let y = HEAD;
  for (const [operation, title] of PANELS) {
    const rows = rowsOf(runs, operation);
    drawn.push(text(LEFT, y, title, ' font-weight="600"'));
    y += 8;
    const bottom = y + rows.length * ROW;
    for (const row of rows) {
      const own = runs[0].formats.includes(row.name);
      drawn.push(...drawRow({ ...row, name: own ? `graupel ${row.name}` : row.name }, y, own));
      y += ROW;
    }
    const x = rounded(LEFT + UNIT);
    drawn.push(
      `<path d="M${x} ${bottom - rows.length * ROW}V${bottom}" stroke="${INK}" stroke-dasharray="2 3"/>`,
    );
    drawn.push(text(x, bottom + 12, "1 D", ' text-anchor="middle" font-size="10"'));
    y += GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" font-family="system-ui, sans-serif" font-size="12" fill="${INK}">
<title>Time of one call of graupel and of other packages, in units of Date.now()</title>
${drawn.join("\n")}
</svg>
`;
}
