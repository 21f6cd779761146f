/**
 * The page "Look inside": the reader enters a text, and the page shows the IDs in it and the bits
 * of one.
 */
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
/** Half of the page's code. It is not needed until there is a text. */
const loadFinder = () => import("../find/find.ts");

/**
 * Loads the module that finds IDs as soon as there is a text. Until it is loaded, the page does not
 * claim that there is no ID.
 */
function useFinder(isWanted: boolean, own: AnyFormat | undefined) {
  const findIn = useLater(isWanted, loadFinder)?.findIn;
  const find = useCallback((text: string) => findIn?.(text, own, Date.now()) ?? [], [findIn, own]);
  return { find, isReading: isWanted && findIn === undefined };
}

/** Some programs cut off longer addresses. */
const LONGEST = 1500;

/**
 * In a link without an ID, the format applies to everything that is entered. In a link with an ID,
 * it applies only to that ID.
 */
const preferredBy = ({ id, format }: Texts) => (id === undefined ? format : undefined);

/**
 * The reading that the page shows: the requested one, unless it is implausible and the reader has
 * not chosen it here.
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
 * The requests of the link and of the reader: a format, and whether the address should contain the
 * ID. `onID`: called when the reader opens a link with an ID.
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
  /** The texts of the link that opened the page, until the reader enters something else. */
  const [asked, setAsked] = useState<Texts>(texts);
  const [isChosen, setChosen] = useState(texts.format !== undefined);
  const [preferred, prefer] = useState(preferredBy(texts));
  /** Resets the request and the choice, which applied to another ID. */
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

/** Writes the input into the address, if the reader wants that. */
function useKeptID({ keepsID, texts, change }: Wish, text: string, one: Found | undefined): void {
  // If the text is long, the address contains only the ID that the page shows.
  const kept = text.length > LONGEST ? (one?.text ?? "") : text.trim();
  const keptID = keepsID ? kept : "";
  useEffect(() => {
    if (keptID !== (texts.id ?? "")) change({ id: keptID });
  }, [keptID, texts.id, change]);
}

/** The IDs of a file or of a longer text, as a table. */
function Logs({ file, wish, state, now }: LogsProps) {
  const { found, chosen } = state.entry;
  const Log = useLater(file !== undefined || found.length > 1, loadLog)?.Log;
  /** The index of the row that the page shows. */
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
  /** True also if the reader has chosen or edited a text that is probably not an ID. */
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
        <Link {...{ one, texts, keepsID }} reading={isID ? reading : undefined} onKeepID={wish.setKeepsID} />
      )}
      <OwnFormat texts={texts} made={made} onChange={change} />
    </>
  );
}

/** The inputs for a text or a file. */
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

/**
 * The text of an edited ID. It keeps the original form if the new text can still be read in that
 * form.
 */
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
  // The page does not recognize the text by itself.
  const { timestamp } = format.inspect(id);
  const changed: FamilyReading = { ...old, id, encoding: "text", timestamp, reasons: [] };
  return { text: format.format(id), readings: [changed], notes: [], certainty: "likely" };
}

/** Puts the reading in the ID's own format first, because an edit does not change the format. */
const sortedBy = (key: string, readings: readonly Reading[]): Reading[] => [
  ...readings.filter((one) => one.key === key),
  ...readings.filter((one) => one.key !== key),
];

let focused = false;
/** Focuses the text area once, unless the reader has already moved the focus. */
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
