/**
 * The programs, alerts and dashboard of the page "In production", in Prometheus and OpenTelemetry.
 */
import assert from "node:assert/strict";
import { fork } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import { sno, snowflake } from "graupel";
import { lease, memory } from "graupel/lease";
import { Registry } from "prom-client";
// @ts-expect-error: no types
import { until } from "../../leases/lib/time.mjs";
// @ts-expect-error: no types
import { start } from "../../leases/servers/prometheus.mjs";
// @ts-expect-error: no types
import { blocksOf, pageOf } from "../../support/pages.mjs";
import { importFrom, withModules } from "../support/guide.ts";

const PAGE = "production.md";

interface Page {
  readonly figures: readonly (readonly [name: string, type: string])[];
  watch(sources: object, where?: object): void;
}

interface Alert {
  readonly name: string;
  readonly health: string;
  readonly lastError?: string;
}

const rules: string = blocksOf(pageOf(PAGE)).find(({ words }: { words: string }) => words === "alerts").code;
const orders = snowflake({ epoch: Date.UTC(2024, 0, 1), fields: { time: 41, worker: 10, sequence: 2 } });

/**
 * A generator with a value for every metric: ten IDs in three ticks of four, the last of which is
 * ahead of the clock, and a step back of 30 ms.
 */
function busy() {
  let time = Date.UTC(2025, 0, 1);
  const ids = orders.generator({ worker: 3, clock: () => time, sequenceFull: "borrow", isolated: true });
  ids.nextMany(9);
  time -= 30;
  ids.next();
  return ids;
}

const COUNTED = {
  graupel_ids_total: 10,
  graupel_waited_seconds_total: 0,
  graupel_full_ticks_total: 2,
  graupel_clock_steps_back_total: 1,
  graupel_ahead_seconds: 0.002,
};

describe("figures", () => {
  test("prom-client: the counters of stats() at each scrape", async () => {
    const register = new Registry();
    const { watch } = await importFrom<Page>(PAGE, "prometheus");
    watch({ orders: { ids: busy() } }, register);
    await register.metrics();
    const lines = (await register.metrics()).split("\n").filter((line) => /^[^#]/.test(line));
    assert.deepEqual(
      lines,
      Object.entries(COUNTED).map(([name, value]) => `${name}{ids="orders"} ${value}`),
    );
  });

  test("OpenTelemetry: the same metrics, and those of a lease", async (t) => {
    const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
    const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
    const provider = new MeterProvider({ readers: [reader] });
    t.after(() => provider.shutdown());
    const worker = await lease(memory(), { format: sno, namespace: "events", quarantineMs: 500, ttlMs: 500 });
    t.after(() => worker.release());
    const { watch, figures } = await withModules(PAGE, "mjs", async (folder) => ({
      ...(await import(join(folder, "opentelemetry.mjs"))),
      ...(await import(join(folder, "figures.mjs"))),
    }));
    const sources = { orders: { ids: busy() }, events: { ids: sno.generator({ lease: worker }), worker } };
    watch(sources, provider.getMeter("test"));
    await provider.forceFlush();
    const found = exporter.getMetrics().at(-1)?.scopeMetrics[0]?.metrics ?? [];
    assert.deepEqual(
      found.map(({ descriptor }) => descriptor.name),
      figures.map(([name]: [string]) => name),
    );
    const of = (ids: string) => {
      const figure = ({ descriptor, dataPoints }: (typeof found)[0]) =>
        dataPoints
          .filter(({ attributes }) => attributes.ids === ids)
          .map(({ value }) => [descriptor.name, value]);
      return Object.fromEntries(found.flatMap(figure)) as Record<string, number>;
    };
    assert.deepEqual(of("orders"), COUNTED);
    const { graupel_lease_left_seconds: left = 0, graupel_lease_skew_seconds, ...rest } = of("events");
    assert.ok(left > 0 && left <= 0.5, `${left} s left`);
    assert.equal(typeof graupel_lease_skew_seconds, "number");
    assert.equal(rest.graupel_lease_held, 1);
    assert.equal(rest.graupel_lease_number, worker.status.number);
    assert.equal(rest.graupel_lease_ttl_seconds, 0.5);
    assert.equal(rest.graupel_lease_losses_total, 0);
  });

  test("the channel reports steps of the clock", async () => {
    const { ids } = await importFrom<{ ids: { next(): bigint } }>(PAGE, "channel");
    const events: unknown[] = [];
    subscribe("graupel:clock", (event) => events.push(event));
    ids.next();
    const real = Date.now;
    Date.now = () => real() - 30;
    try {
      ids.next();
    } finally {
      Date.now = real;
    }
    assert.equal(events.length, 1);
  });
});

describe("Prometheus", () => {
  test("scrapes the metrics; every rule is valid; every panel of the dashboard has data", async () => {
    const register = new Registry();
    const times = { quarantineMs: 500, ttlMs: 500 };
    const worker = await lease(memory(), { format: orders, namespace: "orders", ...times });
    after(() => worker.release());
    const ids = orders.generator({ lease: worker });
    ids.nextMany(3);
    const { watch } = await importFrom<Page>(PAGE, "prometheus");
    watch({ orders: { ids, worker } }, register);
    const app = createServer(async (_, response) => {
      response.setHeader("content-type", register.contentType).end(await register.metrics());
    }).listen(0, "127.0.0.1");
    after(() => app.close());
    await once(app, "listening");
    const server = await start({ target: `127.0.0.1:${(app.address() as AddressInfo).port}`, rules });
    after(() => server.stop());
    const query = async (text: string) => (await server.ask("query", { query: text })).result;
    // A rate needs two samples.
    const isRead = async () => (await query("count_over_time(graupel_ids_total[1m]) > 3")).length > 0;
    await until(isRead, "Prometheus does not read the figures");
    assert.equal((await query("graupel_ids_total"))[0].value[1], "3");
    const alerts = async (): Promise<readonly Alert[]> => (await server.ask("rules")).groups[0].rules;
    const areTried = async () => (await alerts()).every(({ health }) => health !== "unknown");
    await until(areTried, "Prometheus does not try the alerts");
    for (const { name, health, lastError } of await alerts())
      assert.equal(health, "ok", `${name}: ${lastError}`);
    const { panels } = JSON.parse(pageOf("graupel.json")) as {
      panels: { title: string; targets: { expr: string }[] }[];
    };
    assert.equal(panels.length, 9);
    for (const { title, targets } of panels) {
      for (const { expr } of targets)
        assert.equal((await query(expr.replaceAll("$ids", ".*"))).length, 1, `${title}: ${expr}`);
    }
  });
});

describe("a server", () => {
  /**
   * Runs the page's server in a separate process. Its route /end releases the number. `work` gets a
   * function that sends requests.
   */
  const serving = (work: (ask: (path: string) => Promise<unknown>) => Promise<void>) =>
    withModules(PAGE, "mjs", async (folder) => {
      const program = join(folder, "program.mjs");
      writeFileSync(
        program,
        `import { sno } from "graupel";
         import { lease, memory } from "graupel/lease";
         import { serve } from "./server.mjs";
         const worker = await lease(memory(), { format: sno, namespace: "events", quarantineMs: 500, ttlMs: 500 });
         const server = serve(worker, async (request, response) => {
           if (request.url === "/end") await worker.release();
           response.end(worker.status.state);
         }, 0);
         server.on("listening", () => process.send(server.address().port));
         process.on("exit", () => process.send(worker.status.state));`,
      );
      const child = fork(program);
      try {
        const [port] = await once(child, "message");
        await work(async (path) => {
          const answer = await fetch(`http://127.0.0.1:${port}${path}`);
          return [answer.status, await answer.text()];
        });
        const ends = [once(child, "message"), once(child, "exit")] as const;
        child.kill();
        const [[state], ended] = await Promise.all(ends);
        assert.deepEqual(ended, [143, null]);
        assert.equal(state, "released");
      } finally {
        child.kill("SIGKILL");
      }
    });

  test("is alive, and ready while it holds a number; SIGTERM releases it and ends the process", () =>
    serving(async (ask) => {
      assert.deepEqual(await ask("/healthz"), [200, "alive"]);
      assert.deepEqual(await ask("/readyz"), [200, "held"]);
      assert.deepEqual(await ask("/orders"), [200, "held"]);
    }));

  test("without a number, is alive and not ready", () =>
    serving(async (ask) => {
      await ask("/end");
      assert.deepEqual(await ask("/healthz"), [200, "alive"]);
      assert.deepEqual(await ask("/readyz"), [503, "released"]);
    }));
});
