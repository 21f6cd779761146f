/** sno's schema, and the type of its IDs. */
import { text16, texts } from "../../core/id-types.js";
import { schemaOf } from "../../core/schema.js";
import { FORM_SNO, sno as row } from "../../generated/layouts.js";

export const schema = /* @__PURE__ */ schemaOf(row);
export const idType = /* @__PURE__ */ texts(FORM_SNO, row.radix, row.wrong, text16, 16);
