/** sno's schema, and how its IDs cross the boundary. */
import { texts } from "../../core/id-types.js";
import { schemaOf } from "../../core/schema.js";
import { sno as row } from "../../generated/layouts.js";

export const schema = /* @__PURE__ */ schemaOf(row);
export const idType = /* @__PURE__ */ texts(row.radix, row.text);
