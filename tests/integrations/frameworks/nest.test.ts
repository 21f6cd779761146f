/** The page's NestJS program. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  Body,
  Controller,
  Get,
  type INestApplication,
  Module,
  Param,
  Post,
  Query,
  StandardSchemaValidationPipe,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { list, optional, shape } from "graupel/schema";
import { compiles, importFrom } from "../support/guide.ts";
import { A, answersAsThePage, ask, isRefused, type Listening, orders, PAGE, postJson } from "./requests.ts";

/**
 * A controller with one route, written without decorator syntax. `parameter`: the value that its
 * handler gets and sends back.
 */
function controller(path: string, route: MethodDecorator, parameter: ParameterDecorator) {
  class Routes {
    handle(value: unknown) {
      return value;
    }
  }
  const { prototype } = Routes;
  route(prototype, "handle", Object.getOwnPropertyDescriptor(prototype, "handle") as never);
  parameter(prototype, "handle", 0);
  Controller(path)(Routes);
  return Routes;
}

async function start(app: INestApplication): Promise<Listening> {
  app.useLogger(false);
  await app.listen(0, "127.0.0.1");
  return { url: await app.getUrl(), stop: () => app.close() };
}

/** An application with these controllers. */
async function applicationOf(...controllers: (new () => object)[]) {
  class Routes {}
  Module({ controllers })(Routes);
  return await NestFactory.create(Routes, { logger: false });
}

describe("the page's program", () => {
  answersAsThePage(async () => {
    const { app } = await importFrom<{ readonly app: INestApplication }>(PAGE, "nest");
    return await start(app);
  });

  // The programs share a JavaScript module.
  const options = { noImplicitAny: false, experimentalDecorators: true, emitDecoratorMetadata: true };
  test("the program's types compile", () => compiles(PAGE, ["nest.mts"], { ...options, types: ["node"] }));
});

describe("Nest's own pipe for Standard Schemas", () => {
  test("checks parameters, queries and bodies; without the pipe, nothing is checked", async (t) => {
    const ids = shape({ only: optional(list(orders.text)) });
    const app = await applicationOf(
      controller("params", Get(":id"), Param("id", { schema: orders.text })),
      controller("queries", Get(), Query({ schema: ids })),
      controller("bodies", Post(), Body({ schema: ids })),
    );
    app.useGlobalPipes(new StandardSchemaValidationPipe());
    const unchecked = controller("params", Get(":id"), Param("id", { schema: orders }));
    const without = await start(await applicationOf(unchecked));
    const { url, stop } = await start(app);
    t.after(() => Promise.all([stop(), without.stop()]));
    assert.deepEqual(await ask(`${url}/params/${A}`), { status: 200, text: A });
    assert.equal((await ask(`${url}/queries?only=${A}`)).text, JSON.stringify({ only: [A] }));
    assert.equal((await postJson(`${url}/bodies`, `{"only":"${A}"}`)).text, JSON.stringify({ only: [A] }));
    isRefused(await ask(`${url}/params/01`), "NOT_CANONICAL", "parameter");
    isRefused(await ask(`${url}/queries?only=1&only=`), "LENGTH", "query");
    isRefused(await postJson(`${url}/bodies`, `{"only":[${A}]}`), "TYPE", "body");
    assert.deepEqual(await ask(`${without.url}/params/01`), { status: 200, text: "01" });
  });
});
