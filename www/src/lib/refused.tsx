/** The message about a rejected value, with a link to the page of errors. */
import { root } from "./page.ts";
import type { Refusal } from "./refusal.ts";

/** The page that explains every error code. Each code has an anchor there. */
const ERRORS = "docs/errors/";

const explanationOf = (code: string): string => new URL(`${ERRORS}#${code.toLowerCase()}`, root()).href;

/** A text is the page's own message, which needs no explanation. */
export function Refused({ refusal }: { readonly refusal: string | Refusal }) {
  if (typeof refusal === "string") return refusal;
  const { error, code } = refusal;
  if (code === undefined) return error;
  return (
    <>
      {error}{" "}
      <a class="why" href={explanationOf(code)} aria-label={`More about ${code}`}>
        More
      </a>
    </>
  );
}
