// The parts that all pages share: the head, the navigation and the footer. A page's own file
// contains only its title, its description and its content.

import { addresses, publicAddress } from "./address.mjs";
import { PREVIEW } from "./preview.mjs";

/** The pages in the navigation, each with its path from the site's root and its name. */
const NAVIGATION = [
  ["look", "", "Look inside"],
  ["make", "make/", "Make"],
  ["range", "range/", "Range"],
  ["choose", "choose/", "Choose"],
  ["document", "docs/", "Docs"],
];

/**
 * The content security policy. Scripts, styles and requests may only use the page's own origin. The
 * core of the package is WebAssembly. Scripts may set styles on an element, but the HTML may not
 * contain inline styles.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  ...["style-src", "img-src", "connect-src", "worker-src", "manifest-src"].map((kind) => `${kind} 'self'`),
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The tags for the preview that chats and social networks show for a link to the page. */
const preview = ({ title, description, name }, up) => `<meta property="og:site_name" content="graupel">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:image" content="${publicAddress(up, `preview/${name}.png`)}">
<meta property="og:image:width" content="${PREVIEW.width}">
<meta property="og:image:height" content="${PREVIEW.height}">
<meta name="twitter:card" content="summary_large_image">`;

const head = (page, up) => `<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fbfaf8">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#14171c">
<meta name="referrer" content="no-referrer">
${preview(page, up)}
<link rel="icon" href="${up}icon.svg" type="image/svg+xml">
<link rel="apple-touch-icon" href="${up}icon-apple-180.png">
<link rel="manifest" href="${up}manifest.webmanifest">`;

const source =
  addresses.source === undefined ? [] : [`<a href="${addresses.source}" rel="noreferrer">Source</a>`];

const install = `<button type="button" class="install" title="Copy this line"><code>${addresses.install}</code></button>`;

function header(current, up) {
  const links = NAVIGATION.map(([page, path, name]) => {
    const here = page === current ? ' aria-current="page"' : "";
    return `<li><a href="${up}${path || "./"}"${here}>${name}</a></li>`;
  });
  return `<a class="skip" href="#main">Skip to the content</a>
<header class="top">
<a class="brand" href="${up || "./"}"><img src="${up}icon.svg" alt="" width="24" height="24">graupel</a>
<nav aria-label="Pages"><ul>${links.join("")}</ul></nav>
<div class="beside">${[install, ...source].join("\n")}
<button type="button" class="search-open" aria-haspopup="dialog" aria-keyshortcuts="/ Control+K">Search <kbd aria-hidden="true">/</kbd></button></div>
</header>`;
}

const footer = (up) => `<footer class="foot">
<p>What you paste never leaves this page. The site works without a network.</p>
<p class="links">${[
  install,
  ...source,
  `<a href="${up}docs/changelog/">Changelog</a>`,
  `<a href="${up}docs/security/">Security</a>`,
  `<a href="${up}docs/contributors/">For contributors</a>`,
].join("\n")}</p>
</footer>
<div id="site-version" role="status"></div>`;

/** Returns the whole page for a page's own file. `up`: the relative path to the site's root. */
function framed(html, up) {
  const found = (pattern) => pattern.exec(html)[1];
  const current = found(/<body data-page="(\w+)"/);
  const page = {
    title: found(/<title>(.*)<\/title>/),
    description: found(/<meta name="description" content="(.*)">/),
    name: current === "document" ? "<!--preview-->" : current,
  };
  return html
    .replace("<head>", `<head>\n${head(page, up)}`)
    .replace(/(<body[^>]*>)/, `$1\n${header(current, up)}`)
    .replace("</body>", `${footer(up)}\n</body>`);
}

/** The plugin for Vite that completes the site's own pages. */
export const frame = () => ({
  name: "frame",
  transformIndexHtml: {
    order: "pre",
    handler: (html, { path }) => framed(html, "../".repeat(path.split("/").length - 2)),
  },
});
