// Prometheus, and promtool, which runs tests of alerts.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort, temporary } from "../../support/places.mjs";
import { started } from "../lib/program.mjs";

export const name = "Prometheus";
export const install = "apt-get install --no-install-recommends prometheus";

export const [PROGRAM, PROMTOOL] = ["/usr/bin/prometheus", "/usr/bin/promtool"];

/** The paths of the programs. */
export const find = () => (existsSync(PROGRAM) ? [PROGRAM, PROMTOOL] : undefined);

/** `target`: the address whose /metrics it reads. `rules`: its alerts, as YAML. */
export async function start({ target, rules }) {
  const [directory, port] = [temporary("prometheus"), await freePort()];
  const often = "global: { scrape_interval: 200ms, evaluation_interval: 200ms }";
  const scraped = `scrape_configs: [{ job_name: app, static_configs: [{ targets: ["${target}"] }] }]`;
  writeFileSync(join(directory, "prometheus.yml"), `${often}\nrule_files: [rules.yml]\n${scraped}\n`);
  writeFileSync(join(directory, "rules.yml"), rules);
  const command = [
    PROGRAM,
    "--config.file=prometheus.yml",
    `--web.listen-address=127.0.0.1:${port}`,
    "--storage.tsdb.path=data",
  ];
  const ask = async (path, values = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}?${new URLSearchParams(values)}`);
    return (await answer.json()).data;
  };
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  return started({ command, directory, port, isReady, ask });
}
