/** The page's NestJS program. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  type INestApplication,
  Module,
  Param,
  ParseIntPipe,
  type PipeTransform,
  Post,
  Query,
  StandardSchemaValidationPipe,
} from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { list, optional, type Part, shape } from "graupel/schema";
import { compiles, importFrom } from "../support/guide.ts";
import { A, answersAsThePage, ask, isRefused, type Listening, orders, PAGE, postJson } from "./requests.ts";

interface Page {
  readonly app: INestApplication & { set(name: string, value: unknown): void };
  readonly Check: new (schema: Part) => PipeTransform;
}

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

/** `@Headers()` takes no pipes, but a custom decorator does. */
const headers = createParamDecorator(
  (_, context: ExecutionContext) => context.switchToHttp().getRequest().headers,
);

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
    const { app, Check } = await importFrom<Page>(PAGE, "nest");
    const { url, stop } = await start(app);
    const header = new Check(shape({ "x-order": orders.text }));
    const form = new Check(shape({ id: orders.text, only: optional(list(orders.text)) }));
    const routes = [controller("header", Get(), headers(header)), controller("form", Post(), Body(form))];
    const own = await start(await applicationOf(...routes));
    return { url, ownUrl: own.url, stop: () => Promise.all([stop(), own.stop()]) };
  });

  // The programs share a JavaScript module.
  const options = { noImplicitAny: false, experimentalDecorators: true, emitDecoratorMetadata: true };
  test("its types", () => compiles(PAGE, ["nest.mts"], { ...options, types: ["node"] }));
});

describe("beyond the page", () => {
  test("Nest's own pipe for Standard Schemas, and what it checks without the pipe: nothing", async (t) => {
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

  test("ParseIntPipe rounds", async (t) => {
    const routes = controller("orders", Get(":id"), Param("id", ParseIntPipe));
    const { url, stop } = await start(await applicationOf(routes));
    t.after(stop);
    assert.deepEqual(await ask(`${url}/orders/${A}`), { status: 200, text: String(Number(A)) });
    assert.notEqual(String(Number(A)), A);
  });
});
