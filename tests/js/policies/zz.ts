import { SUBJECTS } from "./subjects.ts";
import { sightings } from "./stories.ts";
for (const s of SUBJECTS) {
  const t0=performance.now();
  const all = await sightings(s);
  const bad = all.filter(x=>x.found!==x.wanted);
  console.log(s.name, all.length, bad.length, Math.round(performance.now()-t0)+"ms");
  for (const b of bad.slice(0,2)) console.log("   ", b.situation.name, "|", b.clockBackwards, b.sequenceFull, b.call, "found", b.found, "wanted", b.wanted);
}
