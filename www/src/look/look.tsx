/** The page: a text goes in; its IDs, their formats, and the bits of the chosen one come out. */
import { useEffect, useMemo, useState } from "preact/hooks";
import "./look.css";
import { type FamilyReading, type Found, findIn } from "../find/find.ts";
import { Copy } from "../lib/copy.tsx";
import { readFragment } from "../lib/fragment.ts";
import { ago } from "../lib/time.ts";
import { useFragment } from "../lib/use-fragment.ts";
import { FileEntry } from "../log/file.tsx";
import { Log } from "../log/log.tsx";
import { Drawing } from "./drawing.tsx";
import { OwnFormat, ownFormat } from "./own-format.tsx";

/** An ID to begin with: the example of Discord's documentation. */
const EXAMPLE = "175928847299117063";

export function Look() {
  const [texts, change] = useFragment();
  const [text, setText] = useState(texts.id ?? "");
  const [keepID, setKeepID] = useState(texts.id !== undefined);
  const [chosen, choose] = useState(0);
  const now = useMemo(() => Date.now(), [text]);

  const made = useMemo(() => ownFormat(texts), [texts]);
  const own = made !== undefined && "value" in made ? made.value : undefined;
  const [file, setFile] = useState<File>();
  const [opened, openRow] = useState<Found>();
  const found = useMemo(() => findIn(text, own, now), [text, own, now]);
  const one = opened ?? found[Math.min(chosen, found.length - 1)];
  const family = one === undefined ? [] : familyOf(one);
  const candidate = family.find(({ key }) => key === texts.format) ?? family[0];
  const chooseFormat = (format: string) => change({ format });

  useEffect(() => {
    const id = keepID ? text.trim() : "";
    if (id !== (texts.id ?? "")) change({ id });
  }, [keepID, text, texts.id, change]);

  useEffect(() => {
    // Someone opens another link to this page.
    const follow = () => {
      const id = readFragment().get("id");
      if (id === null) return;
      setText(id);
      setKeepID(true);
    };
    addEventListener("hashchange", follow);
    return () => removeEventListener("hashchange", follow);
  }, []);

  const enter = (entered: string) => {
    setText(entered);
    choose(0);
    setFile(undefined);
    openRow(undefined);
  };
  return (
    <>
      <label class="entry">
        An ID, or a text with IDs in it
        <textarea
          rows={2}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          value={text}
          onInput={(event) => enter(event.currentTarget.value)}
          ref={focusOnce}
        />
      </label>
      <FileEntry
        onFile={(chosenFile) => {
          enter("");
          setFile(chosenFile);
        }}
      />
      {file !== undefined && (
        <Log
          found={[]}
          file={file}
          own={texts}
          now={now}
          chosen={chosen}
          choose={(index, row) => {
            choose(index);
            openRow(row);
          }}
        />
      )}
      {text.trim() === "" && file === undefined && (
        <p class="quiet">
          Paste a Snowflake of Twitter, Discord, Instagram or Mastodon, a sno, Sonyflake or Ulid-Flake, or a
          whole log. Or{" "}
          <button type="button" class="link" onClick={() => enter(EXAMPLE)}>
            see an example
          </button>
          .
        </p>
      )}
      <p class="visually-hidden" role="status">
        {text.trim() === "" ? "" : summary(found, candidate)}
      </p>
      {found.length > 1 && <Log {...{ found, chosen, choose, now }} />}
      {one !== undefined && <Formats one={one} chosen={candidate} choose={chooseFormat} now={now} />}
      {text.trim() !== "" && one === undefined && <p class="refused">No ID was found in this text.</p>}
      {candidate !== undefined && (
        <Drawing
          format={candidate.format}
          id={candidate.id}
          now={now}
          onChange={(changed) => {
            chooseFormat(candidate.key);
            setText(text.replace(one?.text ?? text, () => candidate.format.format(changed)));
          }}
        />
      )}
      <OwnFormat texts={texts} made={made} onChange={change} />
      <section class="card" aria-labelledby="link">
        <h2 id="link">A link to this view</h2>
        <label class="check">
          <input
            type="checkbox"
            checked={keepID}
            onChange={(event) => setKeepID(event.currentTarget.checked)}
          />
          with the ID in it
        </label>
        <p>
          <Copy value={() => location.href} what="the link" label="Copy the link" />
        </p>
        <p class="quiet">
          The address of this page has the format, and an epoch and layout of your own, after its{" "}
          <code>#</code>. A browser keeps that part to itself. The ID is in it only if you say so.
        </p>
      </section>
    </>
  );
}

const familyOf = ({ readings }: Found): FamilyReading[] => readings.filter((one) => one.kind === "family");

const nameOf = ({ format, key }: FamilyReading): string =>
  key === "own" ? `${format.name}, as you declare it` : format.name;

let focused = false;
/** The entry has the focus, once, unless the reader is elsewhere. */
function focusOnce(entry: HTMLTextAreaElement | null): void {
  if (entry === null || focused) return;
  focused = true;
  if (document.activeElement === document.body) entry.focus({ preventScroll: true });
}

function summary(found: readonly Found[], candidate: FamilyReading | undefined): string {
  if (found.length === 0) return "No ID was found.";
  const shown = candidate === undefined ? "" : ` Shown as ${candidate.title}. ${candidate.reasons.join(" ")}`;
  return `${found.length} ${found.length === 1 ? "ID" : "IDs"} found.${shown}`;
}

interface FormatsProperties {
  readonly one: Found;
  readonly chosen: FamilyReading | undefined;
  readonly choose: (name: string) => void;
  readonly now: number;
}

/** What the ID can be. */
function Formats({ one, chosen, choose, now }: FormatsProperties) {
  const candidates = familyOf(one);
  const foreign = one.readings.find(({ kind }) => kind === "foreign");
  return (
    <section aria-labelledby="formats">
      <h2 id="formats">What it can be</h2>
      {foreign !== undefined && (
        <p class="foreign">
          This is <strong>{foreign.title}</strong>, which is no ID of this family.
          {foreign.timestamp !== undefined &&
            ` Its time is ${new Date(foreign.timestamp).toISOString()}, ${ago(foreign.timestamp, now)}.`}
        </p>
      )}
      {candidates.length === 0 && foreign === undefined && (
        <p>
          No format with an epoch of its own reads this text. A Nanoflake, a Snowflake-SI or a Snowflake with
          fields of your own needs its epoch: enter it below.
        </p>
      )}
      {candidates.length > 0 && (
        <ul class="formats">
          {candidates.map((candidate) => (
            <li key={candidate.key}>
              <label class="check">
                <input
                  type="radio"
                  name="format"
                  checked={candidate === chosen}
                  onChange={() => choose(candidate.key)}
                />
                <span>
                  <strong>{nameOf(candidate)}</strong>{" "}
                  <span class="quiet">{candidate.reasons.join(" ")}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
