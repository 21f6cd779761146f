// Lists the Markdown files that become pages, each with its path in the repository, its path on the
// site and its description in the list of pages.

import { readFileSync } from "node:fs";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { pages } from "./pages.mjs";
import { referencePages, referenceText } from "./reference.mjs";

/** The group of the pages that typedoc generates. */
export const API = "API (TypeScript)";

/**
 * One page: its file in the repository, its path below docs/, its description in the list of pages,
 * and its name if that differs from the heading.
 */
const page = (file, place, line, name) => ({ file: fromRoot(...file.split("/")), place, line, name });

/** A guide has the same path on the site as in www/docs. */
const guide = (place, line, name) => page(`www/docs/${place}.md`, place, line, name);

/** The groups of the pages about formats and of the guides to other packages' IDs. */
export const FORMATS = "Formats";
const MOVING = "Move from";

/**
 * The groups of pages, in the order of the contents. The reference has the pages that typedoc
 * generated. `inner`: pages for contributors, which have a list of their own and are not in the
 * search index.
 */
const GROUPS = [
  {
    name: "Start",
    pages: [
      page("README.md", "guide", "what it is, the first ID, which format, limits", "Start here"),
      guide("why", "a comparison with UUID v7, ULID, nanoid and other packages, and all limits"),
      guide("how-it-works", "ticks, clocks that go back, and restarts, in pictures"),
      guide("reading", "how to read the time of an ID in a browser or a bot, in 1.3 kB"),
      guide("testing", "fixed IDs with a fake clock"),
    ],
  },
  {
    name: "Worker IDs",
    pages: [
      guide("worker-ids", "which source of worker IDs fits your platform"),
      guide("leases", "a store that gives each process its own worker ID"),
      guide("workers/kubernetes", "Deployments, StatefulSets, rollouts, autoscaling"),
      guide("workers/serverless", "Lambda, Cloudflare Workers and similar platforms"),
      guide("workers/threads-and-cluster", "worker threads, the workers of a cluster, PM2"),
      guide("workers/browsers", "tabs, service workers, and devices that work offline", "Browsers"),
      guide("workers/from-redis", "from Redis keys or fixed numbers to leases"),
    ],
  },
  {
    name: "Databases",
    pages: [
      guide("databases", "64-bit keys, what drivers return, queries by time"),
      guide("drivers", "what each driver returns for a 64-bit ID, and the setting that keeps all bits"),
      guide("order", "when ORDER BY id sorts by time; pagination and feeds"),
      guide("time-ranges", "the time of an ID in SQL, partitions by month, IDs that the database generates"),
      guide("mysql", "the settings of mysql2, columns, inserts, queries by time"),
      guide("sqlite", "better-sqlite3, node:sqlite and bun:sqlite with 64-bit keys"),
      guide("mongodb", "64-bit integers with the driver, schema paths for Mongoose"),
      guide("keys", "IDs as keys of DynamoDB, Redis, BullMQ and IndexedDB"),
      guide("shard", "id % n, hashes, hash partitions, Kafka keys"),
      guide("old-data", "new IDs for old rows"),
    ],
  },
  {
    name: "ORMs",
    pages: [
      guide("drizzle", "columns for PostgreSQL, MySQL and SQLite that generate and check IDs"),
      guide("prisma", "an extension that generates and checks IDs, even in nested writes"),
      guide("typeorm", "ID columns, and a subscriber that generates the IDs of new rows"),
      guide("kysely", "a plugin that generates, checks and returns IDs"),
      guide("sequelize", "ID attributes with the same type in every database"),
    ],
  },
  {
    name: "Web",
    pages: [
      guide("requests", "Express, Fastify, Hono, NestJS, tRPC and GraphQL: an invalid ID gets status 400"),
      guide("json", "IDs in JSON and URLs, as text or numbers, and checks of IDs from outside"),
      guide("nextjs", "server actions, route handlers, client components and the cache"),
      guide("nestjs", "one program with TypeORM, a lease and shutdown hooks"),
      guide("public-ids", "short texts, prefixes, and texts that hide time and count"),
    ],
  },
  {
    name: "Operate",
    pages: [
      guide("production", "readiness, metrics, five alerts, and a dashboard"),
      guide("restarts", "how the next process starts without repeating an ID"),
      guide("guarantees", "each promise, its exceptions, and the command that proves it"),
      guide("duel", "how many IDs graupel and ten other packages repeat"),
      guide("speed", "nanoseconds per ID and IDs per second, next to other packages"),
      guide("platforms", "where graupel runs, and what to do if a platform lacks something"),
    ],
  },
  {
    name: MOVING,
    pages: [
      guide("moving/uuid-v4", "a table with children, step by step, while the application writes", "UUID v4"),
      guide("moving/uuid-v7", "both in one uuid column, or new IDs for old rows", "UUID v7"),
      guide("moving/ulid", "both side by side, or new IDs for old rows", "ULID"),
      guide("moving/sapphire-snowflake", "the same bits, with other calls", "@sapphire/snowflake"),
      guide("moving/nodejs-snowflake", "the same bits, with other calls", "nodejs-snowflake"),
      guide("moving/flake-idgen", "the same bits, from buffers", "flake-idgen"),
    ],
  },
  {
    name: FORMATS,
    pages: Object.entries(pages).map(([name, line]) => guide(`formats/${name}`, line)),
  },
  {
    name: "Reference",
    pages: [
      guide("reference", "every method and every option, with examples"),
      guide("errors", "every code: its cause, and what to do"),
      guide("command-line", "generate, read and convert IDs in a terminal; see who holds which worker ID"),
      page("CHANGELOG.md", "changelog", "what changed for users"),
      page("SECURITY.md", "security", "what counts as a vulnerability, and how to report one"),
    ],
  },
  { name: API, pages: [], reference: true },
  {
    name: "For contributors",
    inner: true,
    pages: [
      page("CONTRIBUTING.md", "contributing", "how to set up the project and contribute a change"),
      page("docs/architecture.md", "architecture", "how an ID travels through the code"),
      page("docs/releasing.md", "releasing", "what a version promises, and how to publish one"),
      page("www/README.md", "site", "how these pages are built", "This site"),
      page("tests/README.md", "tests", "where each behaviour is tested"),
      page("tests/vectors/README.md", "vectors", "recorded data of the reference implementations"),
      page("tests/stories/README.md", "stories", "clock stories, and the expected answers of a generator"),
      page("model/README.md", "model", "an exhaustive search through the lease protocol"),
      page("bench/README.md", "bench", "how the duel and the bench measure", "How we measure"),
    ],
  },
];

/** The text of a heading, without Markdown's backticks and escapes. */
const plainTitle = (heading) => heading.replaceAll(/[`\\]/g, "");

/**
 * HTML and comments in the sources are for GitHub. An image becomes a Markdown image, and the rest
 * is dropped. Code stays unchanged.
 */
const withoutHtml = (text) =>
  text
    .split(/(^```[\s\S]*?^```$)/m)
    .map((part, i) =>
      i % 2 === 1
        ? part
        : part
            .replaceAll(/<!--(?! \/?(?:layout|policies) -->)[\s\S]*?-->\n?/g, "")
            .replaceAll(/<\/?(?:picture|source|p)\b[^>]*>\n?/g, "")
            .replaceAll(/<img\b[^>]*>/g, (tag) => {
              const [, src] = /\bsrc="([^"]*)"/.exec(tag);
              return `![${/\balt="([^"]*)"/.exec(tag)?.[1] ?? ""}](${src})`;
            }),
    )
    .join("");

/** The lines before a page's text. `also`: other words for the topic, for the search index. */
const FRONT_MATTER = /^---\nalso: (.*)\n---\n/;

function read(one, group) {
  const source = group.reference ? referenceText(one) : readFileSync(one.file, "utf8");
  const also = FRONT_MATTER.exec(source)?.[1] ?? "";
  const text = group.reference ? source : withoutHtml(source.replace(FRONT_MATTER, ""));
  const heading = plainTitle(/^# (.*)$/m.exec(text)?.[1] ?? one.place);
  const name = one.name ?? heading;
  // Only the contents show the group's name above the page's.
  const title = group.name === MOVING ? heading : name;
  return { ...one, path: `docs/${one.place}`, text, title, name, group: group.name, also };
}

/** The pages of all files that are not generated, by file: `{ file, path }`. */
export const placed = () =>
  new Map(
    GROUPS.flatMap(({ pages }) => pages).map(({ file, place }) => [file, { file, path: `docs/${place}` }]),
  );

/**
 * All groups with their pages: `{ name, inner, pages: [{ file, path, title, name, line, text, group
 * }] }`.
 */
export const readSources = () =>
  GROUPS.map((group) => {
    const pages = group.reference ? referencePages() : group.pages;
    return { name: group.name, inner: group.inner === true, pages: pages.map((one) => read(one, group)) };
  });
