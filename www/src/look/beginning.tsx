/** The page before anything is entered: a list of the texts that it reads, and a drawn example. */
import { discord } from "graupel";
import { useMemo, useState } from "preact/hooks";
import { Bits } from "../lib/bits.tsx";
import { Answer } from "./answer.tsx";
import { shownOf } from "./shown.ts";

/** The example in Discord's documentation. */
const EXAMPLE = "175928847299117063";

/**
 * Examples of other families, which the page reads but cannot change. From RFC 9562 and the ULID
 * specification.
 */
const OTHERS: readonly (readonly [name: string, text: string])[] = [
  ["a UUID v7", "017f22e2-79b0-7cc3-98c4-dc0c0c07398f"],
  ["a ULID", "01ARZ3NDEKTSV4RRFFQ69G5FAV"],
];

export function Beginning({ onTake }: { readonly onTake: (text: string) => void }) {
  return (
    <>
      <p class="quiet">
        Paste an ID, its address, or a whole log. This page reads IDs of Discord, Twitter (X), Instagram,
        Mastodon, TikTok, LinkedIn, Bluesky and Slack; UUIDs, ULIDs, ObjectIds, KSUIDs and TypeIDs; and sno,
        Sonyflake and Ulid-Flake.
      </p>
      <p>
        <strong>graupel</strong> is a JavaScript package that generates, reads and validates such IDs in your
        own program. They sort by time and never repeat within a worker: <a href="docs/guide/">get started</a>
        , <a href="docs/why/">why graupel</a>, <a href="choose/">which format</a>.
      </p>
      <Example />
      <p>
        <button type="button" onClick={() => onTake(EXAMPLE)}>
          Look inside this ID
        </button>{" "}
        {OTHERS.map(([name, text]) => (
          <span key={name}>
            or{" "}
            <button type="button" class="link" onClick={() => onTake(text)}>
              {name}
            </button>{" "}
          </span>
        ))}
      </p>
    </>
  );
}

/** The example as the page draws an entered ID, but read-only. */
function Example() {
  const [marked, onMark] = useState<string>();
  const now = useMemo(Date.now, []);
  const shown = useMemo(() => {
    const id = discord.parse(EXAMPLE);
    const { timestamp } = discord.inspect(id);
    const about = { encoding: "text", score: 0, reasons: [], plausible: true, isDoubtful: false } as const;
    return shownOf({
      kind: "family",
      key: "discord",
      title: "Discord",
      ...about,
      timestamp,
      format: discord as never,
      id,
    });
  }, []);
  const labelOf = (name: string) => {
    const { words = "", value = "" } = shown.fields.find((field) => field.name === name) ?? {};
    return { words, value, before: undefined };
  };
  return (
    <figure class="example" aria-label="An example">
      <figcaption class="quiet">
        For example, <span class="mono">{EXAMPLE}</span>:
      </figcaption>
      <Answer state="sure" {...{ shown, now, marked, onMark }} onGo={undefined} />
      <Bits
        places={shown.fields}
        integer={shown.integer}
        before={undefined}
        width={shown.width}
        {...{ labelOf, marked, onMark }}
        onTurn={undefined}
      />
    </figure>
  );
}
