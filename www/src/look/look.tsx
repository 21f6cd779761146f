/** The page: a text goes in; what its IDs are, and the bits of the chosen one, come out. */
import { useCallback, useEffect, useMemo, useState } from "preact/hooks";
import "./look.css";
import type { FamilyReading, Found, Reading } from "../find/types.ts";
import type { AnyFormat, Id } from "../lib/formats.ts";
import type { Texts } from "../lib/offered.ts";
import { ownFormat } from "../lib/own-format.ts";
import { reveal } from "../lib/reveal.ts";
import { useFragment } from "../lib/use-fragment.ts";
import { useLater } from "../lib/use-later.ts";
import { FileEntry } from "../log/file.tsx";
import { Asked } from "./asked.tsx";
import { Beginning } from "./beginning.tsx";
import { Drawing } from "./drawing.tsx";
import { type Rewritten, repeatOf } from "./edits.ts";
import { Link } from "./link.tsx";
import { insteadOf, NoID } from "./no-id.tsx";
import { OwnFormat } from "./own-format.tsx";
import { sentenceOf, shownOf } from "./shown.ts";
import { useEntry } from "./use-entry.ts";
import { useUndoKey } from "./use-undo-key.ts";
import { writtenAs } from "./written.ts";

const loadLog = () => import("../log/log.tsx");
/** Half of the page's code, which is not needed before there is a text. */
const loadFinder = () => import("../find/find.ts");

/**
 * The module that finds IDs, loaded once there is a text. Until then, the page does not say that
 * there is no ID.
 */
function useFinder(isWanted: boolean, own: AnyFormat | undefined) {
  const findIn = useLater(isWanted, loadFinder)?.findIn;
  const find = useCallback((text: string) => findIn?.(text, own, Date.now()) ?? [], [findIn, own]);
  return { find, isReading: isWanted && findIn === undefined };
}

/** Programs cut longer addresses. */
const LONGEST = 1500;

/** A link to the page alone asks for a format of all that is entered; a link to an ID, of that one. */
const preferredBy = ({ id, format }: Texts) => (id === undefined ? format : undefined);

/**
 * The reading that is shown: the requested one, unless it is implausible and the reader has not
 * chosen it here.
 */
function readingOf(
  one: Found | undefined,
  asked: string | undefined,
  isChosen: boolean,
): Reading | undefined {
  const found = one?.readings.find(({ key }) => key === asked);
  return found !== undefined && (isChosen || found.plausible) ? found : one?.readings[0];
}

/**
 * What the link and the reader ask for: a format, and whether the address has the ID. `onID`:
 * called when a link has an ID.
 */
function useWish(onID: (id: string) => void) {
  const [texts, change] = useFragment((link) => {
    setAsked(link);
    prefer(preferredBy(link));
    if (link.format !== undefined) setChosen(true);
    if (link.id === undefined) return;
    onID(link.id);
    setKeepsID(true);
  });
  const [keepsID, setKeepsID] = useState(texts.id !== undefined);
  /** What the link that opened the page asks for, until something else is entered. */
  const [asked, setAsked] = useState<Texts>(texts);
  const [isChosen, setChosen] = useState(texts.format !== undefined);
  const [preferred, prefer] = useState(preferredBy(texts));
  /** The request and the choice belonged to another ID. */
  const forget = () => {
    setAsked({});
    setChosen(false);
    if (texts.format !== preferred) change({ format: preferred });
  };
  const chooseReading = (format: string) => {
    change({ format });
    setAsked({});
    setChosen(true);
  };
  return { texts, change, keepsID, setKeepsID, asked, isChosen, forget, chooseReading };
}

type Wish = ReturnType<typeof useWish>;
type EntryState = ReturnType<typeof useEntry>;

/** The address contains the input, if the reader wants that. */
function useKeptID({ keepsID, texts, change }: Wish, text: string, one: Found | undefined): void {
  // For a long log, the address contains only the ID that is shown.
  const kept = text.length > LONGEST ? (one?.text ?? "") : text.trim();
  const keptID = keepsID ? kept : "";
  useEffect(() => {
    if (keptID !== (texts.id ?? "")) change({ id: keptID });
  }, [keptID, texts.id, change]);
}

/** The IDs of a file or of a longer text, in a table. */
function Logs({ file, wish, state, now }: LogsProps) {
  const { found, chosen } = state.entry;
  const Log = useLater(file !== undefined || found.length > 1, loadLog)?.Log;
  /** Which row of the file is shown. */
  const [row, setRow] = useState(0);
  const openRow = (index: number, ofFile: Found) => {
    setRow(index);
    state.open(ofFile);
    wish.forget();
    reveal(".drawing");
  };
  const chooseID = (index: number) => {
    state.choose(index);
    wish.forget();
    reveal(".drawing");
  };
  if (!Log) return null;
  return (
    <>
      {file !== undefined && (
        <Log found={[]} file={file} own={wish.texts} chosen={row} choose={openRow} now={now} />
      )}
      {found.length > 1 && <Log {...{ found, chosen, now }} choose={chooseID} />}
    </>
  );
}

interface LogsProps {
  readonly file: File | undefined;
  readonly wish: Wish;
  readonly state: EntryState;
  readonly now: number;
}

export function Look() {
  const wish: Wish = useWish((id) => state.enter(id));
  const { texts, change, keepsID, isChosen } = wish;
  const made = useMemo(() => ownFormat(texts), [texts]);
  const own = made !== undefined && "value" in made ? made.value : undefined;
  const [file, setFile] = useState<File>();
  const [isBegun, begin] = useState((texts.id ?? "") !== "");
  const { find, isReading } = useFinder(isBegun || file !== undefined, own);
  const state: EntryState = useEntry(texts.id ?? "", find);
  const { entry, isEdited, enter, undo } = state;
  const { text, found, chosen } = entry;
  useUndoKey(isEdited, undo);
  const now = useMemo(Date.now, [found]);
  const one = found[chosen];
  const reading = readingOf(one, texts.format, isChosen);
  const drawnBefore = entry.before[chosen];
  const isSaid = isChosen && reading?.key === texts.format;
  const isEmpty = text.trim() === "";
  if (!isEmpty && !isBegun) begin(true);
  /** Includes a text that the reader has chosen to be an ID, or has edited. */
  const isID =
    reading !== undefined &&
    (reading.key === texts.format || one?.certainty !== "none" || drawnBefore !== undefined);
  useKeptID(wish, text, one);
  const take = (entered: string) => {
    enter(entered);
    setFile(undefined);
    wish.forget();
  };
  const takeFile = useCallback(
    (taken: File) => {
      enter("");
      setFile(taken);
    },
    [enter],
  );
  const rewrite = (old: FamilyReading, id: Id) => {
    if (one === undefined) return;
    state.edit(rewritten(old, id, one.text, find), { key: old.key, integer: old.format.toBigInt(old.id) });
  };
  const drawn = {
    reading,
    isEdited,
    now,
    isChosen: isSaid,
    repeat: repeatOf(entry),
    before: drawnBefore,
  };
  const calls = { onChoose: wish.chooseReading, onChange: rewrite, onUndo: undo, onRestore: state.restore };
  return (
    <>
      <Entry {...{ text, take, takeFile }} />
      {isEmpty && file === undefined && <Beginning onTake={take} />}
      <Asked asked={wish.asked} reading={reading} />
      <p class="visually-hidden" role="status">
        {isEmpty || isReading ? "" : summaryOf(found, isID ? reading : undefined)}
      </p>
      <Logs {...{ file, wish, state, now }} />
      {isID && one !== undefined && reading !== undefined && (
        <Drawing {...drawn} {...calls} {...{ one, reading }} />
      )}
      {!isEmpty && !isReading && !isID && <NoID one={one} now={now} onChoose={wish.chooseReading} />}
      {(one !== undefined || own !== undefined) && (
        <Link {...{ one, reading, texts, keepsID }} onKeepID={wish.setKeepsID} />
      )}
      <OwnFormat texts={texts} made={made} onChange={change} />
    </>
  );
}

/** Where a text or a file is entered. */
function Entry({ text, take, takeFile }: EntryProps) {
  return (
    <div class="entry">
      <label>
        An ID, or a text with IDs in it
        <textarea
          rows={1}
          spellcheck={false}
          autocomplete="off"
          autocapitalize="off"
          value={text}
          onInput={({ currentTarget: { value } }) => value !== text && take(value)}
          ref={focusOnce}
        />
      </label>
      <FileEntry onFile={takeFile} />
    </div>
  );
}

interface EntryProps {
  readonly text: string;
  readonly take: (entered: string) => void;
  readonly takeFile: (taken: File) => void;
}

/** The text of an edited ID: in its original form, if that form can be read back. */
function rewritten(
  old: FamilyReading,
  id: Id,
  text: string,
  find: (text: string) => readonly Found[],
): Rewritten {
  const { format, key, encoding } = old;
  const integer = format.toBigInt(id);
  for (const written of [writtenAs(format, id, encoding, text), format.format(id)]) {
    const [read] = find(written);
    const isWhole = read?.start === 0 && read.end === written.length;
    const same = isWhole ? read.readings.find((one) => one.key === key) : undefined;
    if (same?.kind === "family" && same.format.toBigInt(same.id) === integer)
      return {
        ...read,
        text: written,
        readings: sortedBy(key, read?.readings ?? []),
        certainty: "likely",
      } as Found;
  }
  // Alone, the text is no longer recognized.
  const { timestamp } = format.inspect(id);
  const changed: FamilyReading = { ...old, id, encoding: "text", timestamp, reasons: [] };
  return { text: format.format(id), readings: [changed], notes: [], certainty: "likely" };
}

/** An edit does not change the format of the ID. */
const sortedBy = (key: string, readings: readonly Reading[]): Reading[] => [
  ...readings.filter((one) => one.key === key),
  ...readings.filter((one) => one.key !== key),
];

let focused = false;
/** The entry has the focus, once, unless the reader is elsewhere. */
function focusOnce(entry: HTMLTextAreaElement | null): void {
  if (entry === null || focused) return;
  focused = true;
  if (document.activeElement === document.body) entry.focus({ preventScroll: true });
}

function summaryOf(found: readonly Found[], reading: Reading | undefined): string {
  const [first] = found;
  if (first === undefined) return "No ID was found.";
  if (reading === undefined) return `Probably no ID. ${insteadOf(first)}`;
  return `${found.length} ${found.length === 1 ? "ID" : "IDs"} found. ${sentenceOf(shownOf(reading))}.`;
}
