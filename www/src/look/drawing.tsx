/**
 * The answer about one ID: the card, other readings, the bits, the encodings and the fields. An
 * edit changes the ID in the text.
 */
import { useRef, useState } from "preact/hooks";
import type { FamilyReading, Found, Reading } from "../find/types.ts";
import { Bits } from "../lib/bits.tsx";
import type { Id } from "../lib/formats.ts";
import { outcomeOf, type Refusal } from "../lib/refusal.ts";
import { Refused } from "../lib/refused.tsx";
import { Answer } from "./answer.tsx";
import type { Before, Repeat } from "./edits.ts";
import { Encodings } from "./encodings.tsx";
import { type Entered, Fields } from "./fields.tsx";
import { Notes } from "./notes.tsx";
import { Readings } from "./readings.tsx";
import { type FieldShown, shownOf } from "./shown.ts";

interface Properties {
  readonly one: Found;
  readonly reading: Reading;
  /** Whether the reader or a link selected this reading. */
  readonly isChosen: boolean;
  /** The other positions of the ID in the text. */
  readonly repeat: Repeat;
  /** The ID before its first edit. */
  readonly before: Before | undefined;
  readonly isEdited: boolean;
  readonly now: number;
  readonly onChoose: (key: string) => void;
  readonly onChange: (reading: FamilyReading, id: Id) => void;
  readonly onUndo: () => void;
  readonly onRestore: () => void;
}

/** An error and the ID that it belongs to, so that it does not appear beside the next ID. */
interface Said {
  readonly refusal: Refusal;
  /** The control with the rejected value; undefined if a bit was flipped. */
  readonly control: Entered | undefined;
  readonly reading: Reading;
}

export function Drawing({ one, reading, isChosen, repeat, before, isEdited, now, ...on }: Properties) {
  const [marked, onMark] = useState<string>();
  const [last, say] = useState<Said>();
  const said = last?.reading === reading ? last : undefined;
  const section = useRef<HTMLElement>(null);
  const shown = shownOf(reading);
  const state = isChosen || one.certainty === "none" ? "chosen" : one.certainty;
  const family = reading.kind === "family" ? reading : undefined;
  const old = family !== undefined && before?.key === family.key ? before.integer : undefined;
  const oldFields =
    family && old !== undefined ? shownOf({ ...family, id: family.format.fromBigInt(old) }).fields : [];

  const change = (call: () => Id, control?: Entered) => {
    if (family === undefined) return;
    const limits = Object.fromEntries(
      shown.fields.map(({ name, high, low }) => [name, { min: 0, max: 2 ** (high - low + 1) - 1 }]),
    );
    const outcome = outcomeOf(call, limits);
    if ("error" in outcome) say({ refusal: outcome, control, reading });
    else {
      say(undefined);
      if (family.format.toBigInt(outcome.value) !== shown.integer) on.onChange(family, outcome.value);
    }
  };
  const turn = (bit: number) =>
    change(() => (family as FamilyReading).format.fromBigInt(shown.integer ^ (1n << BigInt(bit))));
  const go = ({ high }: FieldShown) =>
    section.current?.querySelector<HTMLElement>(`[data-bit="${high}"]`)?.focus();
  /** The buttons disappear when the last edit is undone, so the focus must move to the bits. */
  const back = (way: () => void) => {
    way();
    requestAnimationFrame(() => {
      if (document.activeElement === document.body)
        section.current?.querySelector<HTMLElement>('[data-bit][tabindex="0"]')?.focus();
    });
  };
  return (
    <section class="drawing" aria-label="The ID" ref={section}>
      <Answer {...{ shown, state, now, marked, onMark }} onGo={family === undefined ? undefined : go} />
      <Notes notes={one.notes} />
      <Readings readings={one.readings} shown={reading} onChoose={on.onChoose} />
      <Bits
        places={shown.fields}
        integer={shown.integer}
        before={old}
        width={shown.width}
        labelOf={(name) => {
          const { words = "", value = "" } = shown.fields.find((field) => field.name === name) ?? {};
          const was = oldFields.find((field) => field.name === name)?.value;
          return { words, value, before: was === value ? undefined : was };
        }}
        {...{ marked, onMark }}
        onTurn={family === undefined ? undefined : turn}
      />
      <div class="under">
        <p class="refused turned" role="alert">
          {said !== undefined && said.control === undefined && <Refused refusal={said.refusal} />}
        </p>
        {isEdited && (
          <>
            <button type="button" class="small" onClick={() => back(on.onUndo)}>
              Undo
            </button>
            <button type="button" class="small" onClick={() => back(on.onRestore)}>
              Restore the original
            </button>
          </>
        )}
      </div>
      {repeat.times > 1 && (
        <p class="quiet">
          It occurs {repeat.times} times in this text; this is number {repeat.nth}. An edit changes only this
          one.
        </p>
      )}
      <Encodings reading={reading} />
      {family !== undefined && (
        <Fields
          reading={family}
          {...{ shown, marked, onMark, change }}
          refused={said?.control === undefined ? undefined : { ...said.control, refusal: said.refusal }}
        />
      )}
    </section>
  );
}
