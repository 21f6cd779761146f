// Draws the parts of the pictures in the guides. The colours are visible on white and on black.

export const [INK, ID, OTHER, REFUSED] = ["#757b84", "#1a8fc4", "#b8770c", "#c8402c"];

/** The width of the pictures in pixels: narrow enough for a phone. */
export const WIDTH = 340;

const escaped = (text) => text.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`);

export const text = (x, y, content, more = "") => `<text x="${x}" y="${y}"${more}>${escaped(content)}</text>`;

export const line = (x1, y1, x2, y2, more = "") =>
  `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}" stroke="${INK}"${more}/>`;

export const picture = (width, height, title, drawn) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" font-family="system-ui, sans-serif" font-size="13" fill="${INK}">
<title>${escaped(title)}</title>
${drawn.join("\n")}
</svg>
`;
