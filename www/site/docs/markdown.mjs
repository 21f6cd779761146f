// Converts Markdown to HTML: headings with IDs, links between pages, highlighted code, and tables
// that scroll. No element has an inline style, because the pages' content security policy forbids
// it.

import hljs from "highlight.js/lib/common";
import MarkdownIt from "markdown-it";
import { slugs } from "./slugs.mjs";

const highlight = (code, language) =>
  hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : "";

const markdown = new MarkdownIt({ html: false, linkify: false, typographer: false, highlight });
const { rules } = markdown.renderer;

/** The text of a heading, without its markup. */
const textOf = (inline) =>
  (inline.children ?? [])
    .map(({ type, content }) => (/^(text|code_inline)$/.test(type) ? content : ""))
    .join("");

/**
 * Gives each heading an ID that no table row has. `env.headings` collects them. A heading without a
 * link of its own becomes a link to itself.
 */
markdown.core.ruler.push("headings", ({ tokens, env, Token }) => {
  const slug = slugs(env.rows);
  for (const [i, open] of tokens.entries()) {
    if (open.type !== "heading_open") continue;
    const inline = tokens[i + 1];
    const text = textOf(inline);
    const id = slug(text);
    const level = Number(open.tag.slice(1));
    env.headings.push({ level, id, text });
    open.attrSet("id", id);
    if (level === 1 || inline.children.some(({ type }) => type === "link_open")) continue;
    const link = new Token("link_open", "a", 1);
    link.attrs = [
      ["href", `#${id}`],
      ["class", "anchor"],
    ];
    inline.children = [link, ...inline.children, new Token("link_close", "a", -1)];
  }
});

/**
 * If the first cell of a table row begins with "{#id}", the row gets that ID. `env.rows` collects
 * the IDs.
 */
markdown.core.ruler.before("inline", "rows", ({ tokens, env }) => {
  for (const [i, row] of tokens.entries()) {
    const first = tokens[i + 2];
    const [mark, id] = (row.type === "tr_open" && /^\{#([^}]+)\} /.exec(first?.content)) || [];
    if (id === undefined) continue;
    row.attrSet("id", id);
    env.rows.push(id);
    first.content = first.content.slice(mark.length);
  }
});

/**
 * Resolves links and images. A link to a source file becomes its text, followed by the file's name.
 */
markdown.core.ruler.push("links", ({ tokens, env, Token }) => {
  for (const inline of tokens.filter(({ type }) => type === "inline")) {
    const children = [];
    let source;
    for (const token of inline.children) {
      if (token.type === "link_open") {
        const found = env.links.link(token.attrGet("href"));
        source = found.source;
        if (source !== undefined) continue;
        token.attrSet("href", found.href);
        if (/^https?:/.test(found.href)) token.attrSet("rel", "noreferrer");
      } else if (token.type === "link_close" && source !== undefined) {
        const before = new Token("text", "", 0);
        before.content = " (";
        const code = new Token("code_inline", "code", 0);
        code.content = source;
        const after = new Token("text", "", 0);
        after.content = ")";
        children.push(before, code, after);
        source = undefined;
        continue;
      } else if (token.type === "image") {
        for (const [name, value] of Object.entries(env.links.image(token.attrGet("src")))) {
          token.attrSet(name, String(value));
        }
      }
      children.push(token);
    }
    inline.children = children;
  }
});

/** The tokens of a cell: its start, its text and its end. */
const cell = (tokens, i) => tokens.slice(i, i + 3);

/**
 * Turns the alignment of a cell into a class. A header cell without text becomes a plain cell, and
 * a row of only such cells is left out. If some columns have no header, the first cell of each row
 * is a header.
 */
markdown.core.ruler.push("cells", ({ tokens }) => {
  let head = [];
  let headed = false;
  for (const [i, token] of tokens.entries()) {
    if (token.type === "thead_open") head = [i];
    if (token.type === "th_open" || token.type === "td_open") {
      const align = /text-align:\s*(\w+)/.exec(token.attrGet("style") ?? "")?.[1];
      token.attrs = align === undefined ? [] : [["class", align]];
    }
    if (token.type === "th_open") {
      head.push(i);
      const [, text, close] = cell(tokens, i);
      if (text.content === "") token.tag = close.tag = "td";
      else token.attrSet("scope", "col");
    }
    if (token.type === "thead_close") {
      const [from, ...names] = head;
      const empty = names.map((at) => cell(tokens, at)[1].content === "");
      headed = empty.some(Boolean) && !empty.every(Boolean);
      if (empty.every(Boolean)) {
        for (const one of tokens.slice(from, i + 1)) {
          one.hidden = true;
          one.children = one.type === "inline" ? [] : null;
        }
      }
    }
    if (headed && token.type === "td_open" && tokens[i - 1].type === "tr_open") {
      const [, , close] = cell(tokens, i);
      token.tag = close.tag = "th";
      token.attrSet("scope", "row");
    }
  }
});

// A table that is wider than the screen scrolls by itself, also with the keyboard.
rules.table_open = () => '<div class="scroll" role="group" aria-label="table" tabindex="0">\n<table>\n';
rules.table_close = () => "</table>\n</div>\n";

/** The word for IDs that a driver has changed. It is shown in red. */
const LOST = "rounded";

rules.strong_open = (tokens, i, options, _env, self) => {
  if (tokens[i + 1]?.content === LOST) tokens[i].attrSet("class", "lost");
  return self.renderToken(tokens, i, options);
};

/**
 * A picture of at most this many pixels shrinks to fit a phone and may stand beside another one. A
 * wider picture scrolls.
 */
const NARROW = 500;

rules.image = (tokens, i, options, env, self) => {
  const token = tokens[i];
  token.attrSet("alt", self.renderInlineAsText(token.children, options, env));
  token.attrSet("loading", "lazy");
  if (Number(token.attrGet("width")) <= NARROW) return self.renderToken(tokens, i, options);
  return `<span class="scroll" role="group" aria-label="picture" tabindex="0">${self.renderToken(tokens, i, options)}</span>`;
};

rules.fence = (tokens, i, options) => {
  const { info, content } = tokens[i];
  const [language] = info.trim().split(/\s+/);
  const code = options.highlight(content, language) || markdown.utils.escapeHtml(content);
  const block = `<pre class="code" tabindex="0"><code class="language-${language || "text"}">${code}</code></pre>`;
  return `<div class="block">${block}</div>\n`;
};

/** Returns the page's HTML and its headings. `links`: see links.mjs. */
export function render(text, links) {
  const env = { links, headings: [], rows: [] };
  return { html: markdown.render(text, env), headings: env.headings };
}

export const escapeHtml = markdown.utils.escapeHtml;
