/** Marks today on the time spans of formats and shows how much time is left. */

import { YEAR_MS } from "../lib/units.ts";

const years = (ms: number) => `${Number((ms / YEAR_MS).toFixed(1)).toLocaleString("en-US")} years`;

export function today(now = Date.now()): void {
  for (const span of document.querySelectorAll<HTMLElement>(".span")) {
    const epoch = Number(span.dataset.epoch);
    const end = Number(span.dataset.end);
    const part = Math.min(Math.max((now - epoch) / (end - epoch), 0), 1);
    span.querySelector(".gone")?.setAttribute("width", String(part * 1000));
    const line = span.querySelector(".today");
    if (line === null) continue;
    const day = new Date(now).toISOString().slice(0, 10);
    line.textContent = `today, ${day}: ${years(now - epoch)} gone, ${years(end - now)} left of ${years(end - epoch)}`;
  }
}
