// What people type into the search, and what is among the first three results: each question leads to the page that answers it.
// This reads the index that the build has made: no browser is needed.

import { deepEqual, equal, match } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { tsImport } from "tsx/esm/api";
import { site } from "../../../www/build.mjs";
import { pages } from "../../../www/site/docs/pages.mjs";
import { test } from "../lib/test.mjs";

const ONCE = { only: ["Chromium"] };

/** A pattern of the address, by what is typed. */
const QUERIES = {
  // Questions, whole and half.
  "how do i restart": /restart/,
  "how do I restart safely": /restart/,
  "what happens when the clock goes back": /policies|clock|how-it-works/,
  "kill -9": /restarts/,
  "after a crash": /restarts/,
  "what is a worker id": /worker/,
  "can ids repeat": /restarts|guarantees|limits|duel/,
  "is it safe in json": /json|snowflake-si|choose/,
  "which format": /choose|guide|format/,
  "which format should i": /choose|guide|format/,
  "how fast is it": /speed/,
  "does it work in cloudflare workers": /platforms/,
  "can I use it with commonjs": /platforms|guide|install/,
  install: /install|guide|platforms|why|readme/i,
  kubernetes: /kubernetes|worker/,
  k8s: /kubernetes|worker/,
  lambda: /workers\/serverless/,
  prisma: /databases/,
  statefulset: /kubernetes|worker/,
  postgres: /database|postgres/i,
  "primary key in postgres": /database|postgres/i,
  duplicates: /duel|guarantees|restarts|guide|duplicate/,
  // Tools.
  "see inside an id": /^\.\/$/,
  "make ids": /^make\/$/,
  "from dates to ids": /^range\/$/,
  "compare formats": /^choose\/$/,
  collisions: /choose|limits|guide|worker/,
  // Names, whole and half.
  SEQUENCE_FULL: /errors|policies|sequence/i,
  sequence_full: /errors|policies|sequence/i,
  "sequence full": /errors|policies|sequence/i,
  CLOCK_BACKWARDS: /errors|policies|clock/i,
  notBefore: /restarts\/#what-notbefore-does/,
  "not before": /restarts\/#what-notbefore-does/,
  maxAheadMs: /maxaheadms|restarts|policies|how-it-works/,
  nextAsync: /reference\/.*#nextasync/,
  GeneratorOptions: /reference\/.*\/GeneratorOptions\/$/,
  toUUID: /reference\/.*#touuid/,
  "graupel inspect": /command-line|cli|reference/,
  snapsh: /restarts|formats|guide/,
  metabyte: /sno/,
  "tick-tock": /sno/,
  // Formats.
  discord: /formats\/snowflake\//,
  twitter: /formats\/snowflake\//,
  sno: /formats\/sno\/$/,
  nanoflake: /formats\/nanoflake\/$/,
  "ulid flake": /formats\/ulid-flake\//,
  mastodon: /formats\/snowflake\//,
  // Two letters swapped, or one wrong.
  resatrt: /restart/,
  "clcok goes back": /policies|clock|how-it-works/,
  jsno: /json|snowflake-si/,
  dsicord: /formats\/snowflake\//,
  kuberentes: /kubernetes|worker/,
  snapshto: /restarts|formats|guide/,
  "wroker id": /worker/,
  "seqeunce full": /errors|policies|sequence/i,
  nanofalke: /formats\/nanoflake\/$/,
  dupilcates: /duel|guarantees|restarts|guide|duplicate/,
  snowflke: /snowflake/,
  // Policies.
  "clock goes back": /policies|clock|how-it-works/,
  "leap second": /restarts|guide|guarantees|limits|policies|clock|leap/,
};

/** What is the very first: a name that is also a plain word leads to the page that tells of it, and not to the reference. */
const FIRST = {
  discord: /^docs\/formats\/snowflake\/$/,
  sno: /^docs\/formats\/sno\/$/,
  restart: /^docs\/restarts\/$/,
  "how to restart safely": /^docs\/restarts\//,
  snapshot: /^docs\/(?!reference)/,
  generator: /^docs\/(?!reference\/graupel)/,
  format: /^(?!docs\/reference\/graupel)/,
  nextAsync: /^docs\/reference\//,
};

const load = async () => {
  const module = await tsImport("../../../www/src/search/find.ts", import.meta.url);
  await module.useIndex(readFileSync(join(site, "search.json"), "utf8"));
  return module;
};

test("search: each query finds its page among the first three", ONCE, async () => {
  const { find } = await load();
  const missed = [];
  const since = performance.now();
  for (const [query, wanted] of Object.entries(QUERIES)) {
    const first = find(query)
      .slice(0, 3)
      .map(({ path }) => path);
    if (!first.some((path) => wanted.test(path))) missed.push(`${query}: ${first.join(", ")}`);
  }
  const took = (performance.now() - since) / Object.keys(QUERIES).length;
  deepEqual(missed, []);
  return `${Object.keys(QUERIES).length} queries, ${took.toFixed(1)} ms each`;
});

test("search: the name of a format leads to its page first", ONCE, async () => {
  const { find } = await load();
  for (const page of Object.keys(pages)) equal(find(page)[0]?.path, `docs/formats/${page}/`);
});

test("search: guides come before the interfaces of the reference", ONCE, async () => {
  const { find } = await load();
  for (const [query, wanted] of Object.entries(FIRST)) match(find(query)[0]?.path ?? "", wanted, query);
});
