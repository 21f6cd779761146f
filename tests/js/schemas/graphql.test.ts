/** The scalar of GraphQL.js, in whole requests, with both major versions of the library. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { build } from "esbuild";
import * as graphql17 from "graphql";
import { discord, GraupelError, twitter } from "graupel";
import { scalar } from "graupel/graphql";
import { testsJs } from "../support/places.ts";

/** Of a busy millisecond: rounding changes it. */
const ID = 1585841080431321657n;
const TEXT = `${ID}`;

/** Keeps what a resolver got, which sends it back. */
const keepIn =
  (seen: unknown[]) =>
  (_: unknown, { id }: { readonly id?: unknown }) => {
    seen.push(id);
    return id;
  };

/** A server that sends IDs back. `seen`: what its resolver got. */
function server(library: typeof graphql17) {
  const seen: unknown[] = [];
  const type = scalar(twitter, "UserID");
  const { GraphQLList, GraphQLObjectType, GraphQLSchema } = library;
  const query = new GraphQLObjectType({
    name: "Query",
    fields: {
      user: { type, args: { id: { type } }, resolve: keepIn(seen) },
      users: {
        type: new GraphQLList(type),
        args: { ids: { type: new GraphQLList(type) } },
        resolve: (_, { ids }) => ids,
      },
      wrong: { type, resolve: () => -1n },
    },
  });
  const schema = new GraphQLSchema({ query });
  const ask = async (source: string, variableValues?: Record<string, unknown>) =>
    JSON.parse(
      JSON.stringify(await library.graphql({ schema, source, variableValues: variableValues ?? {} })),
    );
  return { ask, seen };
}

test("GraphQL.js: the version that is installed beside", () => {
  assert.match(graphql17.version, /^17\./);
});

describe("scalar", () => {
  const { ask, seen } = server(graphql17);

  test("variables, literals of text and of integers: the ID to the last digit, and text in the response", async () => {
    const byVariable = "query ($id: UserID) { user(id: $id) }";
    for (const [source, variables] of [
      [byVariable, { id: TEXT }],
      [`{ user(id: "${TEXT}") }`, undefined],
      [`{ user(id: ${TEXT}) }`, undefined],
    ] as const) {
      assert.deepEqual(await ask(source, variables), { data: { user: TEXT } });
      assert.equal(seen.at(-1), ID);
    }
    assert.deepEqual(await ask(byVariable, { id: null }), { data: { user: null } });
    assert.deepEqual(await ask(`{ users(ids: ["1", 2]) }`), { data: { users: ["1", "2"] } });
  });

  test("what is refused is the client's error: its code, and the status 400", async () => {
    const before = seen.length;
    for (const [source, code, variables] of [
      ["query ($id: UserID) { user(id: $id) }", "NOT_CANONICAL", { id: "01" }],
      ["query ($id: UserID) { user(id: $id) }", "TYPE", { id: 5 }],
      ["query ($id: UserID) { user(id: $id) }", "TYPE", { id: [TEXT] }],
      ["query ($id: UserID) { user(id: $id) }", "TYPE", { id: {} }],
      ['{ user(id: "x") }', "CHARACTER", undefined],
      ["{ user(id: 9999999999999999999) }", "OVERFLOW", undefined],
      ["{ user(id: -1) }", "CHARACTER", undefined],
    ] as const) {
      const { errors, data } = await ask(source, variables);
      assert.equal(data, undefined, source);
      assert.equal(errors.length, 1, source);
      assert.deepEqual(errors[0].extensions, { code, http: { status: 400 } }, source);
      assert.match(errors[0].message, new RegExp(`\\[${code}\\]`), source);
    }
    assert.equal(seen.length, before, "no resolver was called");
  });

  test("a literal that is neither a string nor an integer is named as it stands in the request", async () => {
    for (const literal of ["true", "1.5", "1e3", "ADMIN", "{ a: 1 }", "[1]"]) {
      const { errors } = await ask(`{ user(id: ${literal}) }`);
      assert.equal(errors[0].message, `twitter id: expected a string or an integer, got ${literal} [TYPE]`);
      assert.deepEqual(errors[0].extensions, { code: "TYPE", http: { status: 400 } });
    }
  });

  test("a resolver that returns no ID is the server's fault: no status", async () => {
    const { errors, data } = await ask("{ wrong }");
    assert.deepEqual(data, { wrong: null });
    assert.equal(errors[0].extensions?.http, undefined);
  });

  test("what is no format is refused at once; no name by GraphQL.js", () => {
    for (const other of [undefined, null, {}, "twitter"]) {
      assert.throws(
        () => scalar(other as never, "A"),
        (error) => GraupelError.is(error) && error.code === "TYPE",
      );
    }
    assert.throws(() => scalar(discord, "no name"), /name/i);
  });
});

test("GraphQL.js before 16.3, which loses the codes of variables, is refused", async () => {
  for (const [version, isRefused] of [
    ["14.7.0", true],
    ["15.10.1", true],
    ["16.2.0", true],
    ["16.3.0", false],
    ["16.15.0", false],
    ["17.1.0", false],
    ["100.0.0", false],
  ] as const) {
    const { outputFiles } = await build({
      stdin: { contents: 'export { scalar } from "graupel/graphql";', resolveDir: testsJs },
      bundle: true,
      format: "esm",
      write: false,
      plugins: [
        {
          name: "another version",
          setup(bundle) {
            bundle.onResolve({ filter: /^graphql$/ }, () => ({ path: "graphql", namespace: "stub" }));
            bundle.onLoad({ filter: /.*/, namespace: "stub" }, () => ({
              contents: `export class GraphQLScalarType {} export class GraphQLError {} export const print = 0, version = "${version}";`,
            }));
          },
        },
      ],
    });
    const module = await import(
      `data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents as Uint8Array).toString("base64")}`
    );
    const make = () => module.scalar(twitter, "A");
    if (isRefused) {
      assert.throws(make, { code: "PEER", field: "graphql", value: version, message: /graphql >=16\.3\.0/ });
    } else make();
  }
});

describe("GraphQL.js 16", () => {
  test("has the functions that the scalar is made of", async () => {
    const library = (await import("graphql-16" as string)) as typeof graphql17;
    assert.match(library.version, /^16\./);
    // The same settings, given to the other version's class.
    const { serialize, parseValue, parseLiteral, name } = scalar(twitter, "UserID") as never as Record<
      string,
      never
    >;
    const type = new library.GraphQLScalarType({ name, serialize, parseValue, parseLiteral } as never);
    const seen: unknown[] = [];
    const query = new library.GraphQLObjectType({
      name: "Query",
      fields: { user: { type, args: { id: { type } }, resolve: keepIn(seen) } },
    });
    const schema = new library.GraphQLSchema({ query });
    const ask = (source: string, variableValues = {}) => library.graphql({ schema, source, variableValues });
    const answered = await ask(
      `query ($id: UserID) { a: user(id: $id) b: user(id: "${TEXT}") c: user(id: ${TEXT}) }`,
      {
        id: TEXT,
      },
    );
    assert.deepEqual({ ...answered.data }, { a: TEXT, b: TEXT, c: TEXT });
    assert.deepEqual(seen, [ID, ID, ID]);
    const refused = await ask('{ user(id: "x") }');
    assert.equal(refused.errors?.[0]?.extensions.code, "CHARACTER");
    assert.deepEqual(refused.errors?.[0]?.extensions.http, { status: 400 });
  });
});
