/**
 * The GraphQL.js scalar in complete requests. tests/integrations/frameworks/yoga.test.ts also runs
 * with the lowest version of the library.
 */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { build } from "esbuild";
import { GraphQLList, GraphQLObjectType, GraphQLSchema, graphql } from "graphql";
import { twitter } from "graupel";
import { scalar } from "graupel/graphql";
import { testsJs } from "../support/places.ts";

/** From a busy millisecond, so that rounding changes it. */
const ID = 1585841080431321657n;
const TEXT = `${ID}`;

/** A server that returns the IDs that it gets. `seen` lists the values that its resolvers got. */
function server() {
  const seen: unknown[] = [];
  const keep = (_: unknown, { id }: { readonly id?: unknown }) => {
    seen.push(id);
    return id;
  };
  const type = scalar(twitter, "UserID");
  const list = new GraphQLList(type);
  const fields = {
    user: { type, args: { id: { type } }, resolve: keep },
    users: {
      type: list,
      args: { ids: { type: list } },
      resolve: (_: unknown, { ids }: { ids?: unknown }) => ids,
    },
    wrong: { type, resolve: () => -1n },
  };
  const schema = new GraphQLSchema({ query: new GraphQLObjectType({ name: "Query", fields }) });
  const ask = async (source: string, variableValues: Record<string, unknown> = {}) =>
    JSON.parse(JSON.stringify(await graphql({ schema, source, variableValues })));
  return { ask, seen };
}

describe("scalar", () => {
  const { ask, seen } = server();
  const byVariable = "query ($id: UserID) { user(id: $id) }";

  test("variables and literals give the whole ID, and the response has its text", async () => {
    for (const source of [byVariable, `{ user(id: "${TEXT}") }`, `{ user(id: ${TEXT}) }`]) {
      const variables = source === byVariable ? { id: TEXT } : {};
      assert.deepEqual(await ask(source, variables), { data: { user: TEXT } });
      assert.equal(seen.at(-1), ID);
    }
    assert.deepEqual(await ask(byVariable, { id: null }), { data: { user: null } });
    assert.deepEqual(await ask(`{ users(ids: ["1", 2]) }`), { data: { users: ["1", "2"] } });
  });

  test("an invalid ID is the client's error: its code, and the status 400", async () => {
    const before = seen.length;
    for (const [source, code, variables] of [
      [byVariable, "NOT_CANONICAL", { id: "01" }],
      [byVariable, "TYPE", { id: 5 }],
      [byVariable, "TYPE", { id: [TEXT] }],
      [byVariable, "TYPE", { id: {} }],
      ['query ($id: UserID = "01") { user(id: $id) }', "NOT_CANONICAL", undefined],
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

  test("the error quotes a literal that is neither a string nor an integer", async () => {
    for (const literal of ["true", "1.5", "1e3", "ADMIN", "{ a: 1 }", "[1]"]) {
      const { errors } = await ask(`{ user(id: ${literal}) }`);
      assert.equal(errors[0].message, `twitter id: expected a string or an integer, got ${literal} [TYPE]`);
      assert.deepEqual(errors[0].extensions, { code: "TYPE", http: { status: 400 } });
    }
  });

  test("an invalid ID from a resolver is the server's error: no status", async () => {
    const { errors, data } = await ask("{ wrong }");
    assert.deepEqual(data, { wrong: null });
    assert.equal(errors[0].extensions?.http, undefined);
  });
});

test("GraphQL.js before 16.3, which loses the codes of variables, is rejected", async () => {
  for (const [version, isRefused] of [
    ["14.7.0", true],
    ["15.10.1", true],
    ["16.2.0", true],
    ["16.3.0", false],
    ["16.15.0", false],
    ["17.1.0", false],
    ["100.0.0", false],
  ] as const) {
    const contents = `export class GraphQLScalarType {} export class GraphQLError {} export const print = 0, version = "${version}";`;
    const { outputFiles } = await build({
      stdin: { contents: 'export { scalar } from "graupel/graphql";', resolveDir: testsJs },
      ...{ bundle: true, format: "esm", write: false },
      plugins: [
        {
          name: "another version",
          setup(bundle) {
            bundle.onResolve({ filter: /^graphql$/ }, () => ({ path: "graphql", namespace: "stub" }));
            bundle.onLoad({ filter: /.*/, namespace: "stub" }, () => ({ contents }));
          },
        },
      ],
    });
    const code = Buffer.from(outputFiles[0]?.contents as Uint8Array).toString("base64");
    const module = await import(`data:text/javascript;base64,${code}`);
    const make = () => module.scalar(twitter, "A");
    const wanted = { code: "PEER", field: "graphql", value: version, message: /graphql >=16\.3\.0/ };
    if (isRefused) assert.throws(make, wanted);
    else make();
  }
});
