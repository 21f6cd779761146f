/** A link to this view of the page: the format, the declared layout and the ID. */
import type { Found, Reading } from "../find/types.ts";
import { Copy } from "../lib/copy.tsx";
import { fragmentOf } from "../lib/fragment.ts";
import { OFFERED, type Texts } from "../lib/offered.ts";
import { root } from "../lib/page.ts";

interface Properties {
  readonly one: Found | undefined;
  readonly reading: Reading | undefined;
  readonly texts: Texts;
  readonly keepsID: boolean;
  readonly onKeepID: (keep: boolean) => void;
}

function addressOf({ one, reading, texts }: Pick<Properties, "one" | "reading" | "texts">): string {
  const format = reading?.key ?? texts.format;
  return root().href + fragmentOf({ ...texts, format, id: one?.text });
}

export function Link({ one, reading, texts, keepsID, onKeepID }: Properties) {
  const linked = one === undefined ? "page" : one.certainty === "none" ? "text" : "ID";
  const format = reading?.kind === "family" ? reading.format.name : undefined;
  const offered = OFFERED.find(({ name }) => name === format);
  return (
    <section aria-labelledby="link">
      <h2 id="link">Link to this {linked}</h2>
      <p>
        <Copy
          value={() => addressOf({ one, reading, texts })}
          what={`a link to this ${linked}`}
          label={`Copy a link to this ${linked}`}
        />
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={keepsID}
          onChange={(event) => onKeepID(event.currentTarget.checked)}
        />
        Keep the {linked === "text" ? "text" : "ID"} in the address of this page
      </label>
      <p class="quiet">
        Browsers do not send the part of an address after <code>#</code>.
        {offered !== undefined && (
          <>
            {" "}
            <a href={new URL(`docs/formats/${offered.page}/`, root()).href}>
              {offered.title}: fields and facts
            </a>
          </>
        )}
      </p>
    </section>
  );
}
