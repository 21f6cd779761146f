// All contestants of the duel, in the order of the tables.

import { graupel } from "./graupel.mjs";
import { ways } from "./numbering/ways.mjs";
import { peers } from "./peers.mjs";

export const contestants = [...graupel, ...peers, ...ways];
