/** ID descriptions for other programs: MCP tools and OpenAPI. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { Validator } from "@seriousme/openapi-schema-validator";
import { discord, nanoflake, sno, snowflakeSI, ulidFlake } from "graupel";
import { jsonSchema } from "graupel/schema";
import { importFrom } from "../support/guide.ts";
import { ODD } from "../support/rows.ts";
import { PAGE } from "./requests.ts";

interface Described {
  readonly type?: string;
  readonly pattern?: string;
}

for (const kind of ["mcp", "mcp-zod"]) {
  test(`${kind}: a client lists the tool, calls it, and gets errors for invalid IDs`, async () => {
    const { server } = await importFrom<{ server: McpServer }>(PAGE, kind);
    const [ours, theirs] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: "client", version: "1" });
    await Promise.all([server.connect(ours), client.connect(theirs)]);
    // The client keeps the output schema and validates the tool's results with it.
    const [tool] = (await client.listTools()).tools;
    for (const schema of [tool?.inputSchema, tool?.outputSchema]) {
      const { type, pattern = "" } = (schema?.properties?.id ?? {}) as Described;
      assert.equal(type, "string");
      assert.match(`${ODD}`, new RegExp(pattern));
    }
    const call = (id: unknown) => client.callTool({ name: "order", arguments: { id } });
    const { structuredContent } = await call(`${ODD}`);
    assert.deepEqual(structuredContent, { id: `${ODD}`, parent: `${ODD - 1n}` });
    for (const [id, what] of [
      ["01", /\[NOT_CANONICAL\]/],
      ["9999999999999999999", /\[OVERFLOW\]/],
      [Number(ODD), /\[TYPE\]|expected string, received number/],
    ] as const) {
      const { isError, content } = await call(id);
      assert.ok(isError);
      assert.match((content as { text: string }[])[0]?.text ?? "", what);
    }
    await client.close();
  });
}

describe("OpenAPI", () => {
  const formats = {
    sno,
    discord,
    ulidFlake,
    nanoflake: nanoflake({ epoch: Date.UTC(2024, 0, 1) }),
    snowflakeSI: snowflakeSI({ epoch: Date.UTC(2024, 0, 1) }),
  };
  for (const openapi of ["3.0.4", "3.1.1", "3.2.0"]) {
    test(`the page's document is valid by ${openapi}, with the schema of each format`, async () => {
      const { document } = await importFrom<{ document: { components: { schemas: object } } }>(
        PAGE,
        "openapi",
      );
      const schemas = Object.entries(formats).map(([name, format]) => [name, jsonSchema(format)]);
      Object.assign(document.components.schemas, Object.fromEntries(schemas));
      const { valid, errors } = await new Validator().validate({ ...document, openapi });
      assert.ok(valid, JSON.stringify(errors));
    });
  }
});
