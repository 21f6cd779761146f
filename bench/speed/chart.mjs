// Draws the chart of www/docs/speed.md: the time of a call in nanoseconds, for graupel's formats
// and the other packages, on the latest Node version. The figures are its only input. It has no
// background, uses colours that are visible on white and on black, and is narrow enough for a
// phone.

/** The formats and packages in the chart and the table. bench.json has all of them. */
export const SHOWN = [
  ["twitter", "snowflake", "nanoflake", "discord", "snowflakeSI", "ulidFlake", "sno"],
  ["nodejs-snowflake", "@sapphire/snowflake", "flake-idgen", "snowflake-id", "ulid", "uuidv7", "uuid v7"],
  ["bson ObjectId", "nanoid", "crypto.randomUUID", "hyperid"],
].flat();

const WIDTH = 480;
const [LEFT, RIGHT] = [180, 62];
/**
 * Longer bars are cut off at this many nanoseconds. The number beside a bar is always the true one.
 */
const MOST = 600;
const UNIT = (WIDTH - LEFT - RIGHT) / MOST;
const [ROW, BAR, GAP] = [20, 12, 34];
const HEAD = 70;

const OURS = "#1a8fc4";
const THEIRS = "#8b8f96";
const INK = "#757b84";

const PANELS = [
  ["next", "generate an ID"],
  ["parse", "check its text"],
  ["inspect", "read its time and fields"],
];

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);
const text = (x, y, content, more = "") => `<text x="${x}" y="${y}"${more}>${escaped(content)}</text>`;
const rounded = (n) => Number(n.toFixed(1));

/** The rows of a panel, fastest first. */
const rowsOf = ({ cases }, operation) =>
  cases
    .filter((one) => one.operation === operation && SHOWN.includes(one.subject))
    .map(({ subject, ns }) => ({ name: subject, time: ns.median }))
    .sort((a, b) => a.time - b.time);

function drawRow({ name, time }, y, ours) {
  const length = rounded(Math.min(time, MOST) * UNIT);
  const fill = ours ? OURS : THEIRS;
  const number = `${time > MOST ? "› " : ""}${Math.round(time).toLocaleString("en")}`;
  return [
    text(LEFT - 8, y + 14, name, ` text-anchor="end"${ours ? ` fill="${OURS}" font-weight="600"` : ""}`),
    `<rect x="${LEFT}" y="${y + 4}" width="${length}" height="${BAR}" fill="${fill}"/>`,
    text(rounded(LEFT + length + 6), y + 14, number),
  ];
}

/** The SVG of the last run of the bench. */
export function chart({ runs }) {
  const run = runs.at(-1);
  const drawn = [
    text(8, 18, "Nanoseconds for one call", ' font-size="16" font-weight="600"'),
    text(8, 38, `shorter is faster; Node ${run.node}, ${run.processor}`),
  ];
  let y = HEAD;
  for (const [operation, title] of PANELS) {
    drawn.push(text(LEFT, y, title, ' font-weight="600"'));
    y += 8;
    for (const row of rowsOf(run, operation)) {
      const own = run.formats.includes(row.name);
      drawn.push(...drawRow({ ...row, name: own ? `graupel ${row.name}` : row.name }, y, own));
      y += ROW;
    }
    y += GAP;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y}" width="${WIDTH}" height="${y}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="${INK}">
<title>Nanoseconds for one call of graupel and of other packages</title>
${drawn.join("\n")}
</svg>
`;
}
