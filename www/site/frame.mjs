// What all pages share: the head, the navigation, the foot. A page's file has only its title, its description and its content.

/** The pages of the navigation: where each is, from the site's root, and its name. */
const NAVIGATION = [
  ["look", "", "Look inside"],
  ["make", "make/", "Make"],
  ["range", "range/", "Range"],
  ["choose", "choose/", "Choose"],
  ["document", "docs/", "Documentation"],
];

/**
 * Scripts, styles and requests of the page's own origin alone. The package's core is WebAssembly. Styles that scripts set on an
 * element are allowed, those in its HTML are not.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  ...["style-src", "img-src", "connect-src", "worker-src", "manifest-src"].map((kind) => `${kind} 'self'`),
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const head = (up) => `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf8">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#14171c">
<meta name="referrer" content="no-referrer">
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${up}icon-apple-180.png">
<link rel="manifest" href="${up}manifest.webmanifest">`;

function header(current, up) {
  const links = NAVIGATION.map(([page, path, name]) => {
    const here = page === current ? ' aria-current="page"' : "";
    return `<li><a href="${up}${path || "./"}"${here}>${name}</a></li>`;
  });
  return `<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${up || "./"}"><img src="${up}icon.svg" alt="" width="24" height="24">graupel</a>
<nav aria-label="Pages"><ul>${links.join("")}</ul></nav>
</header>`;
}

const footer = `<footer class="foot">
<p>Nothing that you paste leaves this page. It works without a network.</p>
<p id="site-version" role="status"></p>
</footer>`;

/** The whole page from its file. `depth`: how many folders below the site's root it is. */
export function framed(html, depth) {
  const up = "../".repeat(depth);
  const current = /<body data-page="(\w+)"/.exec(html)[1];
  return html
    .replace("<head>", `<head>\n${head(up)}`)
    .replace(/(<body[^>]*>)/, `$1\n${header(current, up)}`)
    .replace("</body>", `${footer}\n</body>`);
}

/** For Vite: the files of the site's own pages. */
export const frame = () => ({
  name: "frame",
  transformIndexHtml: {
    order: "pre",
    handler: (html, { path }) => framed(html, path.split("/").length - 2),
  },
});
