/** sno's schema. */
import { texts } from "../../core/id-types.js";
import { schemaOf } from "../../core/schema.js";
import { sno as row } from "../../generated/layouts.js";

export const schema = /* @__PURE__ */ schemaOf(row, /* @__PURE__ */ texts(row.radix, row.text));
