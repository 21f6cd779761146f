// Draws mutants by a seed.

import { createHash } from "node:crypto";

const hash = (seed, key) => createHash("sha256").update(`${seed}\0${key}`).digest("hex");

/**
 * All mutants in an order that the seed decides. A mutant's place depends on its own key alone, so that most of a draw stays the same when
 * other code changes. Keys hold no line numbers; equal ones are told apart by their order in the file.
 */
export function shuffled(mutants, seed) {
  const seen = new Map();
  const placed = mutants.map((mutant) => {
    const count = seen.get(mutant.key) ?? 0;
    seen.set(mutant.key, count + 1);
    const key = `${mutant.key} #${count}`;
    return { place: hash(seed, key), mutant: { ...mutant, key } };
  });
  return placed.sort((a, b) => (a.place < b.place ? -1 : 1)).map(({ mutant }) => mutant);
}

/** A short form of some code, on one line. */
export function inShort(code, most = 90) {
  const line = code.replace(/\s+/g, " ").trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
