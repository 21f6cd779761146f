/** Marks errors of every copy of the package. */
export const BRAND = Symbol.for("graupel.error");
