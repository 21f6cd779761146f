// NestJS: a service that others inject, and a controller, compiled to ES modules and to CommonJS. The declarations have to
// name the types of the service.

import { imports, RUN, served, settingsIn } from "./framework.mjs";

const SERVICE = `import { Injectable } from "@nestjs/common";
import { sno } from "graupel/sno";
import { discord } from "graupel/snowflake";

@Injectable()
export class IdService {
  readonly ids = sno.generator({ partition: 12 });
  readonly messages = discord.generator({ internalWorkerId: 3, internalProcessId: 4 });
  inspect(id: string) {
    return sno.inspect(id);
  }
}
`;

const CONTROLLER = `import { Controller, Get } from "@nestjs/common";
import { discord } from "graupel/snowflake";
${imports("../")}import { IdService } from "./id.service.js";

@Controller()
export class AppController {
  constructor(private readonly service: IdService) {}

  @Get("endpoint")
  async endpoint() {
    const result = await ${RUN};
    const { partition } = this.service.inspect(this.service.ids.next());
    const { internalWorkerId } = discord.inspect(this.service.messages.next());
    if (partition === 12 && internalWorkerId === 3) result.passed++;
    else result.failed.push({ name: "the service", message: \`\${partition}, \${internalWorkerId}\` });
    return result;
  }
}
`;

const MAIN = `import { Module } from "@nestjs/common";
import { NestFactory } from "@nestjs/core";
import { AppController } from "./app.controller.js";
import { IdService } from "./id.service.js";

@Module({ controllers: [AppController], providers: [IdService] })
class AppModule {}

async function bootstrap() {
  const app = await NestFactory.create(AppModule, { logger: ["error"] });
  await app.listen(Number(process.env["PORT"]), "127.0.0.1");
}
void bootstrap();
`;

const rowOf = (how, type) =>
  served({
    host: "NestJS",
    name: "@nestjs/core",
    id: `nest-${type}`,
    files: {
      "package.json": JSON.stringify({ name: "row", private: true, type }),
      ...settingsIn("nest"),
      "src/id.service.ts": SERVICE,
      "src/app.controller.ts": CONTROLLER,
      "src/main.ts": MAIN,
    },
    build: [["@nestjs/cli/bin/nest.js", "build"]],
    server: (at, port) => ({ args: [at("dist", "main.js")], env: { PORT: port } }),
    ways: { [how]: ["endpoint", "/endpoint"] },
  });

export const nest = [
  ...rowOf("controller, ES modules", "module"),
  ...rowOf("controller, CommonJS", "commonjs"),
];
