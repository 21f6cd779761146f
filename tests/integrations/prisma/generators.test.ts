/** A user's program that is compiled strictly and run with the client of each Prisma generator. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { compile } from "../support/guide.ts";
import { generateFor, isBefore7, tablesFor } from "./generate.ts";

/**
 * The program's placeholders: `FILE` is the client's file, `TABLES` are statements, and `ADAPTER`
 * is a class with another name in Prisma 6.
 */
const PROGRAM = `
import { ADAPTER } from "@prisma/adapter-better-sqlite3";
import { idExtension, type IdFields } from "graupel/prisma";
import { prefixed } from "graupel/prefixed";
import { sealed } from "graupel/sealed";
import { sno } from "graupel/sno";
import { twitter } from "graupel/snowflake";
import { snowflakeSI } from "graupel/snowflake-si";
import { textFormat } from "graupel/text-format";
import { PrismaClient } from "./FILE";

const person = { format: twitter, generator: twitter.generator({ datacenterId: 0, workerId: 7 }) };
const extension = idExtension({
  User: { id: person, invitedBy: twitter },
  Profile: { id: person },
  Post: { id: person },
  Tag: { id: { format: sno, generator: sno } },
});
const plain = new PrismaClient({ adapter: new ADAPTER({ url: ":memory:" }) });
const prisma = plain.$extends(extension);
for (const text of TABLES) await prisma.$executeRawUnsafe(text);

const posts = { create: { title: "a", tags: { create: { name: "t" } } } };
const user = await prisma.user.create({ data: { name: "Ada", posts }, include: { posts: { include: { tags: true } } } });
const id: bigint = user.id;
const tag: string | undefined = user.posts[0]?.tags[0]?.id;
const inner: bigint = await prisma.$transaction(async (tx) => (await tx.user.create({ data: { name: "Ben" } })).id);
const [first] = await prisma.$transaction([prisma.user.create({ data: { name: "Cem" }, select: { id: true } })]);
const both = prisma.$extends({
  result: { user: { label: { needs: { name: true }, compute: ({ name }) => \`<\${name}>\` } } },
  model: { user: { named: (name: string) => prisma.user.findMany({ where: { name } }) } },
});
const label: string = (await both.user.create({ data: { name: "Dan" } })).label;
const named: bigint[] = (await both.user.named("Dan")).map((one) => one.id);
console.log([id, inner, first.id, ...named].map((one) => twitter.inspect(one).workerId), sno.isValid(tag), label);

// Formats whose IDs are texts or numbers.
const si = snowflakeSI({ epoch: Date.UTC(2024, 0, 1) });
const key = new Uint8Array(32).fill(7);
for (const users of [textFormat(twitter, prefixed(twitter, "usr_")), textFormat(twitter, sealed(twitter, { usr_: key })), twitter.text]) {
  const member = { format: users, generator: users.generator({ datacenterId: 0, workerId: 9 }) };
  const texts = plain.$extends(idExtension({
    User: { id: member, invitedBy: users },
    Post: { id: person },
    Invoice: { id: { format: si, generator: si.generator({ machineId: 3 }) } },
  }));
  const { id, invitedBy } = await texts.user.create({ data: { name: "Ida", host: { create: { name: "Host" } }, posts: { create: [{ title: "p" }, { title: "q" }] } } });
  const ida: string = id;
  const host: string | null = invitedBy;
  // Prisma's types of data and conditions have bigints.
  const asText = (text: string | null) => text as never;
  const among = { id: { in: [asText(ida), asText(host)] } };
  const include = { host: true, guests: true, posts: { include: { author: true } } };
  const found = await texts.user.findMany({ where: among, orderBy: { id: "desc" }, include });
  const ids: string[] = found.map((one) => one.id);
  const [one] = await texts.user.findMany({ where: { invitedBy: users.toBigInt(host as never), id: { not: asText(host) } } });
  const inverse = await texts.user.findUnique({ where: { id: asText(host) } }).guests();
  const posts = await texts.user.findUnique({ where: { id: asText(ida) } }).posts({ where: { author: { id: asText(ida) } } });
  const authors = await texts.post.findMany({ where: { authorId: asText(ida) } });
  const { _max, _count } = await texts.user.aggregate({ where: among, _max: { id: true }, _count: { id: true } });
  const groups = await texts.post.groupBy({ by: ["authorId"], where: { authorId: asText(ida) }, _count: { id: true } });
  const counted = await texts.user.count({ where: among, select: { id: true } });
  const [batch] = await texts.$transaction([texts.user.findFirst({ where: { id: asText(ida) } })]);
  const inner = await texts.$transaction((tx) => tx.user.update({ where: { id: asText(ida) }, data: { invitedBy: null } }));
  const bill: number = (await texts.invoice.create({ data: {} })).id;
  const again = await texts.invoice.findUnique({ where: { id: bill } });
  const stored = await plain.user.findFirst({ where: { id: users.toBigInt(asText(ida)) } });
  const refused: unknown[] = [];
  for (const wrong of ["1", \`ord_\${ida.slice(4)}\`, 5].slice(users === twitter.text ? 1 : 0)) {
    await texts.user.findMany({ where: { id: wrong as never } }).catch((error) => refused.push(error.code));
    await texts.user.create({ data: { name: "no", invitedBy: wrong as never } }).catch((error) => refused.push(error.code));
  }
  const same = (...all: unknown[]) => all.every((each) => each === ida);
  console.log(
    JSON.stringify(ids) === JSON.stringify([host, ida].sort((a, b) => users.compare(b as never, a as never))),
    same(one?.id, inverse?.[0]?.id, authors[0]?.authorId, groups[0]?.authorId, batch?.id, inner.id, found.find((row) => row.host)?.posts[1]?.author?.id),
    same(posts?.[0]?.authorId, found.find((row) => row.host)?.id, found.find((row) => row.guests.length)?.guests[0]?.id),
    found.find((row) => row.host)?.host?.id === host && inner.invitedBy === null && twitter.isValid(posts?.[0]?.id),
    users.isValid(ida) && ids.includes(_max.id as never) && [_count.id, groups[0]?._count.id, counted.id].join(),
    again?.id === bill && si.inspect(bill).machineId === 3 && stored?.id === users.toBigInt(asText(ida)),
    new Set(refused).size, refused.length,
  );
}

export const refused = () => [
  // @ts-expect-error: the name is required
  prisma.user.create({ data: {} }),
  // @ts-expect-error: an ID is no text
  prisma.user.create({ data: { id: "1", name: "a" } }),
  // @ts-expect-error: no such model
  prisma.usr,
  // @ts-expect-error: a generator alone does not say how IDs are checked
  idExtension({ User: { id: person.generator } }),
  // @ts-expect-error: no such model in the schema
  plain.$extends(idExtension({ User: { id: person }, Uzer: { id: person } })),
  // @ts-expect-error: no such field
  plain.$extends(idExtension({ User: { ident: person } })),
  // @ts-expect-error: a relation is no field of IDs
  plain.$extends(idExtension({ User: { posts: twitter } })),
  // Names that the compiler does not know are checked when the program runs.
  plain.$extends(idExtension({ User: { id: person } } as IdFields)),
  // @ts-expect-error: for a client of Prisma
  idExtension({})("client"),
];
`;

/** The addition for `strictUndefinedChecks`. */
const SKIPPING = `
import { Prisma } from "./FILE";
const { skip } = Prisma;
const skipped = await prisma.user.create({
  data: { id: skip, name: "Eve", posts: skip, host: { create: skip }, profile: { create: { id: skip, bio: "…" } } },
  include: { profile: true, host: true },
});
const where = { id: skip, name: "Eve", invitedBy: skip };
const eve = await prisma.user.findFirst({ where });
if (eve?.id !== skipped.id || skipped.host !== null || !twitter.isValid(skipped.profile?.id)) throw new Error("skip");
`;

for (const [generator, file, features, program] of [
  ["prisma-client", "client/client.ts", [], PROGRAM],
  ["prisma-client-js", "client/index.js", [], PROGRAM],
  // Prisma 6 copies `skip` for every query extension, and then does not recognize it.
  ["prisma-client", "client/client.ts", ["strictUndefinedChecks"], isBefore7 ? PROGRAM : PROGRAM + SKIPPING],
] as const) {
  test([generator, ...features].join(" "), async () => {
    const directory = join(await generateFor("sqlite", { generator, features }), "..");
    const path = join(directory, "program.ts");
    const adapter = isBefore7 ? "PrismaBetterSQLite3" : "PrismaBetterSqlite3";
    const tables = JSON.stringify(tablesFor("sqlite"));
    writeFileSync(
      path,
      program.replaceAll("FILE", file).replaceAll("ADAPTER", adapter).replace("TABLES", tables),
    );
    const options = { target: "es2022", module: "nodenext", strict: true, noEmit: true, types: [] };
    const more = { exactOptionalPropertyTypes: true, allowImportingTsExtensions: true };
    // Prisma's own declarations import packages that are not installed.
    const compilerOptions = { ...options, ...more, skipLibCheck: true };
    await compile(directory, { compilerOptions, files: ["program.ts"] });
    const { stdout } = await promisify(execFile)(process.execPath, [path], { cwd: directory });
    const texts = [6, 6, 4].map((refused) => `true true true true 2,2,2 true 2 ${refused}\n`);
    assert.equal(stdout, `[ 7, 7, 7, 7 ] true <Dan>\n${texts.join("")}`);
  });
}
