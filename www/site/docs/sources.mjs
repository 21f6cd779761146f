// Which Markdown files become pages: where each is in the repository, its place on the site, and its line in the index.

import { readFileSync } from "node:fs";
import { fromRoot } from "../../../xtask/lib/process.mjs";
import { pages } from "./pages.mjs";
import { referencePages, referenceText } from "./reference.mjs";

/** The group of the pages that typedoc makes; "Reference" is a guide. */
export const API = "API (TypeScript)";

/** The group of the guides to worker IDs. */
export const PLATFORMS = "Worker IDs by platform";

/** The group of the guides to other packages' IDs. */
const MOVING = "Moving from";

/** One page: its file in the repository, its place below docs/, its line in the index, and its name if its heading is none. */
const page = (file, place, line, name) => ({ file: fromRoot(...file.split("/")), place, line, name });

/**
 * The groups of the contents, in the order in which they are shown. The reference's pages are what typedoc has made. `inner`: pages
 * for those who change graupel, which have a list of their own and are not in the search.
 */
const GROUPS = [
  {
    name: "Guides",
    pages: [
      page("README.md", "guide", "what it is, which format, the first ID, limits", "Start here"),
      page(
        "www/docs/why.md",
        "why",
        "beside UUID v7, ULID, nanoid and other packages, and when not to use it",
      ),
      page(
        "www/docs/how-it-works.md",
        "how-it-works",
        "ticks, clocks that go back and restarts, in pictures",
      ),
      page("www/docs/worker-ids.md", "worker-ids", "where do you run, and where does the number come from"),
      page("www/docs/leases.md", "leases", "worker numbers from a store, which no two processes share"),
      page("www/docs/production.md", "production", "readiness, metrics, five alerts, and a dashboard"),
      page("www/docs/databases.md", "databases", "64-bit keys, what drivers give back, queries by time"),
      page(
        "www/docs/drivers.md",
        "drivers",
        "what each driver gives for 64 bits, and the line that keeps them whole",
      ),
      page("www/docs/order.md", "order", "when ORDER BY id is the order of time, pages of a list, feeds"),
      page("www/docs/mysql.md", "mysql", "the settings of mysql2, columns, inserts, queries by time"),
      page("www/docs/sqlite.md", "sqlite", "better-sqlite3, node:sqlite and bun:sqlite with 64-bit keys"),
      page("www/docs/drizzle.md", "drizzle", "columns for PostgreSQL, MySQL and SQLite, with a default"),
      page("www/docs/typeorm.md", "typeorm", "columns, and the subscriber that makes the IDs of new rows"),
      page("www/docs/nestjs.md", "nestjs", "one program with TypeORM, a lease and shutdown hooks"),
      page("www/docs/nextjs.md", "nextjs", 'server actions, "use cache" and the edge, with BigInts'),
      page("www/docs/sequelize.md", "sequelize", "attributes that are the same in every database"),
      page(
        "www/docs/kysely.md",
        "kysely",
        "a plugin for PostgreSQL, MySQL and SQLite that makes and reads IDs",
      ),
      page(
        "www/docs/prisma.md",
        "prisma",
        "an extension that makes IDs, in nested writes, too, and checks them",
      ),
      page("www/docs/mongodb.md", "mongodb", "the driver, and paths for Mongoose, with a default"),
      page("www/docs/keys.md", "keys", "IDs as keys of DynamoDB, Redis, BullMQ and IndexedDB"),
      page(
        "www/docs/time-ranges.md",
        "time-ranges",
        "the time of an ID in SQL, partitions by month, IDs that the database makes",
      ),
      page(
        "www/docs/shard.md",
        "shard",
        "id % n, a hash, hash partitions in PostgreSQL and MySQL, keys of Kafka",
      ),
      page("www/docs/reading.md", "reading", "the time of an ID in a browser or a bot, in 1.3 kB"),
      page("www/docs/json.md", "json", "IDs in JSON and URLs, and checks of IDs from outside"),
      page(
        "www/docs/requests.md",
        "requests",
        "Express, Fastify, Hono, NestJS, tRPC and GraphQL: a wrong ID is a 400",
      ),
      page(
        "www/docs/public-ids.md",
        "public-ids",
        "short texts, prefixes, and texts that show neither time nor count",
      ),
      page("www/docs/restarts.md", "restarts", "how the next process starts so that nothing repeats"),
      page("www/docs/old-data.md", "old-data", "new IDs for old rows"),
      page("www/docs/testing.md", "testing", "tests with a fake clock"),
      page(
        "www/docs/guarantees.md",
        "guarantees",
        "each promise, its exceptions, and the command that proves it",
      ),
      page("www/docs/reference.md", "reference", "every method and every option, with examples"),
      page("www/docs/errors.md", "errors", "every code: its cause, and what to do"),
      page(
        "www/docs/command-line.md",
        "command-line",
        "make, read and convert IDs in a terminal; who holds which worker number",
      ),
      page(
        "www/docs/platforms.md",
        "platforms",
        "what runs where, and what to do where something is missing",
      ),
      page("www/docs/duel.md", "duel", "who repeats IDs: graupel and ten packages in the same stories"),
      page("www/docs/speed.md", "speed", "nanoseconds and IDs a second, beside other packages"),
    ],
  },
  {
    name: PLATFORMS,
    pages: [
      page(
        "www/docs/workers/kubernetes.md",
        "workers/kubernetes",
        "Deployments, StatefulSets, rollouts, SIGTERM",
      ),
      page(
        "www/docs/workers/serverless.md",
        "workers/serverless",
        "Lambda, Cloudflare Workers and their like",
      ),
      page(
        "www/docs/workers/from-redis.md",
        "workers/from-redis",
        "from keys of Redis, or fixed numbers, to leases",
      ),
      page(
        "www/docs/workers/threads-and-cluster.md",
        "workers/threads-and-cluster",
        "worker threads, the workers of a cluster, processes of PM2",
      ),
      page(
        "www/docs/workers/browsers.md",
        "workers/browsers",
        "tabs, service workers, and devices that work offline",
        "Browsers",
      ),
    ],
  },
  {
    name: MOVING,
    pages: [
      page(
        "www/docs/moving/sapphire-snowflake.md",
        "moving/sapphire-snowflake",
        "the same bits, other calls",
        "@sapphire/snowflake",
      ),
      page(
        "www/docs/moving/nodejs-snowflake.md",
        "moving/nodejs-snowflake",
        "the same bits, other calls",
        "nodejs-snowflake",
      ),
      page(
        "www/docs/moving/flake-idgen.md",
        "moving/flake-idgen",
        "the same bits, from buffers",
        "flake-idgen",
      ),
      page("www/docs/moving/ulid.md", "moving/ulid", "both side by side, or new IDs for old rows", "ULID"),
      page(
        "www/docs/moving/uuid-v4.md",
        "moving/uuid-v4",
        "a table with children, step by step, while the application writes",
        "UUID v4",
      ),
      page(
        "www/docs/moving/uuid-v7.md",
        "moving/uuid-v7",
        "both in one uuid column, or new IDs for old rows",
        "UUID v7",
      ),
    ],
  },
  {
    name: "Formats",
    pages: Object.entries(pages).map(([name, line]) =>
      page(`www/docs/formats/${name}.md`, `formats/${name}`, line),
    ),
  },
  { name: API, pages: [], reference: true },
  {
    name: "The project",
    pages: [
      page("CHANGELOG.md", "changelog", "what changed, in words for users"),
      page("SECURITY.md", "security", "what is a vulnerability, and how to report one"),
    ],
  },
  {
    name: "For contributors",
    inner: true,
    pages: [
      page("CONTRIBUTING.md", "contributing", "how to set up, change something and send it"),
      page("docs/architecture.md", "architecture", "how an ID travels through the code"),
      page("docs/releasing.md", "releasing", "what a version promises, and how one is published"),
      page("www/README.md", "site", "how these pages are made", "This site"),
      page("tests/README.md", "tests", "where the test of each behaviour is"),
      page("tests/vectors/README.md", "vectors", "what the references say, recorded"),
      page("tests/stories/README.md", "stories", "clock stories, and what a generator answers"),
      page("model/README.md", "model", "the protocol of leases, searched for everything that it can do"),
      page("bench/README.md", "bench", "how the duel and the bench measure", "How we measure"),
    ],
  },
];

/** In a title: the text alone, without Markdown's escapes. */
const plainTitle = (heading) => heading.replaceAll(/[`\\]/g, "");

/** Raw HTML and comments in the sources are for GitHub: an image becomes Markdown's, the rest is dropped. Code stays as it is. */
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

function read(one, group) {
  const text = group.reference ? referenceText(one) : withoutHtml(readFileSync(one.file, "utf8"));
  const title = one.name ?? plainTitle(/^# (.*)$/m.exec(text)?.[1] ?? one.place);
  return { ...one, path: `docs/${one.place}`, text, title, name: title, group: group.name };
}

/** Where each file that is not generated has its page, by file: `{ file, path }`. */
export const placed = () =>
  new Map(
    GROUPS.flatMap(({ pages }) => pages).map(({ file, place }) => [file, { file, path: `docs/${place}` }]),
  );

/** The groups with their pages: `{ name, inner, pages: [{ file, path, title, name, line, text, group }] }`. */
export const readSources = () =>
  GROUPS.map((group) => {
    const pages = group.reference ? referencePages() : group.pages;
    return { name: group.name, inner: group.inner === true, pages: pages.map((one) => read(one, group)) };
  });
