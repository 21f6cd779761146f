/**
 * The checks that run in every host, for the entries with peers, with the peer versions that are
 * installed here.
 */
import { test } from "node:test";
import * as graupel from "graupel";
// @ts-expect-error: no types
import { WITH_PEER } from "../everywhere/entries.mjs";

type Check = (entry: object, copy: typeof graupel) => void;

for (const [name, { check }] of Object.entries(WITH_PEER as Record<string, { readonly check: Check }>)) {
  test(`graupel/${name}`, async () => check(await import(`graupel/${name}`), graupel));
}
