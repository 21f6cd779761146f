// All contestants of the duel, in the order of the tables.

import { packages } from "../packages.mjs";
import { graupel } from "./graupel.mjs";
import { ways } from "./numbering/ways.mjs";

const peers = packages.filter(({ how }) => how !== undefined);

export const contestants = [...graupel, ...peers, ...ways];
