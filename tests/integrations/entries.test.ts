/** The entries for the packages of users, with the versions of them that are installed here: what is checked in every host. */
import { test } from "node:test";
import * as graupel from "graupel";
// @ts-expect-error: no types
import { WITH_PEER } from "../everywhere/entries.mjs";

type Check = (entry: object, copy: typeof graupel) => void;

for (const [name, { check }] of Object.entries(WITH_PEER as Record<string, { readonly check: Check }>)) {
  test(`graupel/${name}`, async () => check(await import(`graupel/${name}`), graupel));
}
