/** Makes IDs of any format, as many as one likes. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import "./make.css";
import { Choice } from "../lib/choice.tsx";
import { Code } from "../lib/code.tsx";
import { Field } from "../lib/field.tsx";
import type { AnyFormat } from "../lib/formats.ts";
import { plainName } from "../lib/names.ts";
import { outcomeOf, type Refusal } from "../lib/refusal.ts";
import { Refused } from "../lib/refused.tsx";
import { reveal } from "../lib/reveal.ts";
import { concerns, FormatChoice, Settings } from "../lib/settings.tsx";
import {
  formatCode,
  importCode,
  limitsOf,
  makeFormat,
  type Setting,
  type Subject,
  settingsCode,
  subjectOf,
  type Texts,
} from "../lib/subjects.ts";
import { useFragment } from "../lib/use-fragment.ts";
import { whole } from "../lib/values.ts";
import { fittingForm, formsOf, writerOf } from "./forms.ts";
import { generatorSettings, MOST, machineSettings, policiesOf, radixOf, sourceOf } from "./job.ts";
import { Result, save } from "./result.tsx";
import { Running } from "./running.tsx";
import { useWorker } from "./use-worker.ts";

const numbers = new Intl.NumberFormat("en");

/** Why the count is refused. */
function countError(text: string): string | undefined {
  const count = whole(text);
  const fits = typeof count === "number" && count >= 1 && count <= MOST;
  return fits ? undefined : `Expected a whole number from 1 to ${numbers.format(MOST)}`;
}

/** Why the package refuses these inputs. */
function refusalOf(texts: Texts, form: string, settings: readonly Setting[]): Refusal | undefined {
  const outcome = outcomeOf(() => writerOf(sourceOf(texts).format, form, radixOf(texts)), limitsOf(settings));
  return "error" in outcome ? outcome : undefined;
}

/** The same in code. */
function codeOf(subject: Subject, format: AnyFormat, texts: Texts, count: string): string {
  const options = settingsCode(generatorSettings(subject, format), texts);
  const metabyte = settingsCode(
    subject.options.filter(({ key }) => key === "metabyte"),
    texts,
  );
  const byte = /\d+/.exec(metabyte)?.[0];
  const call =
    count === "1" ? `next(${byte ?? ""})` : `nextMany(${[count, byte].filter(Boolean).join(", ")})`;
  const made = formatCode(subject, texts);
  const declared = made === subject.code ? [] : [`const format = ${made};`];
  const ids = `const ids = ${declared.length === 0 ? made : "format"}.generator(${options});`;
  return [importCode(subject), "", ...declared, ids, `ids.${call};`].join("\n");
}

/** `names`: in words. */
function Machines({ names, optional }: { readonly names: readonly string[]; readonly optional: boolean }) {
  const list = new Intl.ListFormat("en").format(names).replace(/^./, (letter) => letter.toUpperCase());
  return (
    <p class="warning">
      <strong>{list}</strong> {names.length === 1 ? "identifies" : "together identify"} the machine
      {optional ? ", if you give it" : ""}. Use {names.length === 1 ? "a number" : "numbers"} that nobody else
      uses: no server, no colleague, and no other tab of this page. Else the same ID can be made twice.
    </p>
  );
}

const split = (settings: readonly Setting[]) => ({
  usual: settings.filter(({ rare }) => !rare),
  rare: settings.filter(({ rare }) => rare),
});

/** What the inputs say, and why the package refuses them. */
function useInputs(texts: Texts) {
  const subject = subjectOf(texts.format);
  const count = texts.count ?? "1";
  const form = fittingForm(subject.name, texts.form);
  const outcome = useMemo(
    () => outcomeOf(() => makeFormat(subject, texts), limitsOf(subject.settings)),
    [subject, texts],
  );
  const format = "value" in outcome ? outcome.value : undefined;
  const machines = format === undefined ? [] : machineSettings(subject, format);
  const settings = split(subject.settings);
  const options = split(subject.options);
  const rare = [...settings.rare, ...options.rare, ...policiesOf(subject)];
  const shown = [...subject.settings, ...machines, ...options.usual, ...rare];
  const found = refusalOf(texts, form, shown);
  const wrongCount = countError(count);
  return {
    ...{ texts, subject, format, form, count, wrongCount, found, machines, rare, shown },
    layout: settings.usual,
    usual: [...machines, ...options.usual],
    isReady: found === undefined && wrongCount === undefined,
  };
}

type Inputs = ReturnType<typeof useInputs>;

/** What was made is written anew in another form, once the radix is one. */
function useRewriting({ work, order }: ReturnType<typeof useWorker>, inputs: Inputs): void {
  const { texts, subject, format, form } = inputs;
  const { busy, made } = work;
  const stale =
    made !== undefined &&
    busy === undefined &&
    made.texts.format === subject.name &&
    (work.form !== form || (form === "radix" && work.radix !== texts.radix));
  useEffect(() => {
    if (stale && format !== undefined && "value" in outcomeOf(() => writerOf(format, form, radixOf(texts))))
      order({ kind: "write", form, texts });
  }, [stale, format, form, texts, order]);
}

/** What the parts of the form share. */
interface PartProps {
  readonly inputs: Inputs;
  readonly refusal: Refusal | undefined;
  readonly change: (texts: Texts) => void;
}

/** Which format, how many, and how they are written. */
function Wanted({
  inputs,
  refusal,
  change,
  choose,
}: PartProps & { readonly choose: (name: string) => void }) {
  const { texts, subject, count, wrongCount, form } = inputs;
  return (
    <div class="fields">
      <FormatChoice asked={texts.format} onChange={choose} />
      <Field
        label="How many"
        value={count}
        inputMode="numeric"
        width="9rem"
        error={wrongCount}
        hint={`1 to ${numbers.format(MOST)}`}
        onInput={(text) => change({ count: text.trim() })}
      />
      <Choice
        label="Written as"
        value={form}
        options={formsOf(subject.name)}
        width="10rem"
        onChange={(value) => change({ form: value })}
      />
      {form === "radix" && (
        <Field
          label="Radix"
          value={texts.radix ?? "36"}
          inputMode="numeric"
          width="7rem"
          error={concerns(refusal, "radix") ? refusal : undefined}
          hint="2 to 36"
          onInput={(text) => change({ radix: text.trim() })}
        />
      )}
    </div>
  );
}

/** The settings of the format and of its generator. */
function Options({ inputs, refusal, change }: PartProps) {
  const { texts, subject, layout, usual, machines, rare } = inputs;
  const [opened, setOpened] = useState(false);
  const toggle = ({ currentTarget }: { readonly currentTarget: HTMLDetailsElement }) =>
    setOpened(currentTarget.open);
  const shared = { texts, refusal, onChange: (key: string, text: string) => change({ [key]: text }) };
  return (
    <>
      {[layout, usual].map(
        (settings, index) =>
          settings.length > 0 && (
            <div class="fields" key={index}>
              <Settings settings={settings} {...shared} />
            </div>
          ),
      )}
      {machines.length > 0 && (
        <Machines
          names={machines.map(({ key }) => plainName(key))}
          optional={machines.every(({ key }) => key in subject.optional)}
        />
      )}
      <details open={opened || rare.some(({ key }) => concerns(refusal, key))} onToggle={toggle}>
        <summary>More options</summary>
        <div class="fields">
          <Settings settings={rare} {...shared} />
        </div>
        <p class="quiet">
          With <code>borrow</code> and <code>hold</code>, IDs may be ahead of the clock. This page forgets
          them when it is closed: wait that long before you make more with the same numbers.
        </p>
      </details>
    </>
  );
}

/** The same as a program, if the inputs make IDs. */
function InCode({ texts, subject, format, count, isReady }: Inputs) {
  const code = format && isReady ? codeOf(subject, format, texts, count) : undefined;
  return (
    <details>
      <summary>In code</summary>
      {code === undefined ? <p class="quiet">These inputs make no IDs yet.</p> : <Code code={code} />}
    </details>
  );
}

export function Make() {
  const [texts, change] = useFragment();
  const inputs = useInputs(texts);
  const { subject, form, count, found, isReady, shown } = inputs;
  const form$ = useRef<HTMLFormElement>(null);
  const submit$ = useRef<HTMLButtonElement>(null);
  const isPressed = useRef(false);
  const worker = useWorker(save);
  const { work, order, cancel } = worker;
  const { busy, made } = work;
  useRewriting(worker, inputs);
  const start = () =>
    order({ kind: "make", texts: { ...texts, format: subject.name }, count: Number(count), form });
  // One ID is there at once; more are made when they are asked for.
  useEffect(() => {
    if (isReady && count === "1" && busy === undefined && made?.texts.format !== subject.name) start();
  }, [isReady, count, busy, made, subject]);
  useEffect(() => {
    if (made !== undefined && isPressed.current) reveal(".result");
  }, [made]);
  const refusal = found ?? work.refusal;
  const placed = shown.some(({ key }) => concerns(refusal, key));
  /** Another format has other options; the count stays. */
  const choose = (name: string) => {
    const others = Object.keys(texts).filter((key) => key !== "count");
    change({ ...Object.fromEntries(others.map((key) => [key, undefined])), format: name });
  };
  const make = (event: Event) => {
    event.preventDefault();
    if (busy !== undefined) return;
    isPressed.current = true;
    if (isReady) start();
    else form$.current?.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  };
  return (
    <>
      {/* What was made of another format is not what the inputs say. */}
      {(made === undefined || busy !== undefined || made.texts.format === subject.name) && (
        <Result work={work} order={order} />
      )}
      <form ref={form$} onSubmit={make} noValidate>
        <Wanted {...{ inputs, refusal, change, choose }} />
        <Options {...{ inputs, refusal, change }} />
        <InCode {...inputs} />
        {refusal !== undefined && !placed && (
          <p class="refused" role="alert">
            <Refused refusal={refusal} />
          </p>
        )}
        <div class="buttons">
          {/* Not disabled, because a button that is loses the focus. */}
          <button type="submit" class="main" aria-disabled={busy !== undefined} ref={submit$}>
            Make {count === "1" ? "an ID" : "IDs"}
          </button>
          {busy !== undefined && (
            <Running done={work.done} of={work.of} cancel={cancel} after={() => submit$.current?.focus()} />
          )}
        </div>
      </form>
    </>
  );
}
