// Prometheus.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { installed, started } from "../lib/program.mjs";

export const install = "apt-get install --no-install-recommends prometheus";
const PROGRAM = "/usr/bin/prometheus";
export const find = installed(PROGRAM);

/** `target`: the address of the /metrics endpoint. `rules`: the alerts, as YAML. */
export async function start({ target, rules }) {
  const urlOf = (port) => `http://127.0.0.1:${port}`;
  const often = "global: { scrape_interval: 200ms, evaluation_interval: 200ms }";
  const scraped = `scrape_configs: [{ job_name: app, static_configs: [{ targets: ["${target}"] }] }]`;
  const server = await started({
    command(port, directory) {
      writeFileSync(join(directory, "prometheus.yml"), `${often}\nrule_files: [rules.yml]\n${scraped}\n`);
      writeFileSync(join(directory, "rules.yml"), rules);
      const files = ["--config.file=prometheus.yml", "--storage.tsdb.path=data"];
      return [PROGRAM, ...files, `--web.listen-address=127.0.0.1:${port}`];
    },
    isReady: (port) =>
      fetch(`${urlOf(port)}/-/ready`).then(
        ({ ok }) => ok,
        () => false,
      ),
  });
  const ask = async (path, values = {}) => {
    const answer = await fetch(`${urlOf(server.port)}/api/v1/${path}?${new URLSearchParams(values)}`);
    return (await answer.json()).data;
  };
  return { ...server, ask };
}
