/** Standard Schema of what reads texts. */
import type { StandardProps } from "../types.js";

/** What Standard Schema asks for, from a function that throws what it refuses. */
export const standardOf = <Id>(parse: (x: unknown) => Id): StandardProps<string, Id> => ({
  version: 1,
  vendor: "graupel",
  validate(x) {
    try {
      return { value: parse(x) };
    } catch (error) {
      const { name, code, message } = Object(error);
      if (name !== "GraupelError" || code === "CORE") throw error;
      return { issues: [{ message }] };
    }
  },
});
