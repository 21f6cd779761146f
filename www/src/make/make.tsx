/** The page "Make IDs": generates any number of IDs in any format. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import "./make.css";
import { Choice } from "../lib/choice.tsx";
import { Code } from "../lib/code.tsx";
import { Field } from "../lib/field.tsx";
import type { AnyFormat } from "../lib/formats.ts";
import { plainName } from "../lib/names.ts";
import {
  formatCode,
  importCode,
  limitsOf,
  makeFormat,
  type OfferedFormat,
  offeredOf,
  type Setting,
  settingsCode,
  type Texts,
} from "../lib/offered.ts";
import { outcomeOf, type Refusal } from "../lib/refusal.ts";
import { Refused } from "../lib/refused.tsx";
import { reveal } from "../lib/reveal.ts";
import { concerns, FormatChoice, Settings } from "../lib/settings.tsx";
import { useFragment } from "../lib/use-fragment.ts";
import { whole } from "../lib/values.ts";
import { fittingForm, formsOf, writerOf } from "./forms.ts";
import { generatorSettings, MOST, machineSettings, policiesOf, radixOf, sourceOf } from "./job.ts";
import { Result, save } from "./result.tsx";
import { Running } from "./running.tsx";
import { useWorker } from "./use-worker.ts";

const numbers = new Intl.NumberFormat("en");

/** The reason why the count is rejected. */
function countError(text: string): string | undefined {
  const count = whole(text);
  const fits = typeof count === "number" && count >= 1 && count <= MOST;
  return fits ? undefined : `Expected a whole number from 1 to ${numbers.format(MOST)}`;
}

/** The reason why the package rejects the inputs. */
function refusalOf(texts: Texts, form: string, settings: readonly Setting[]): Refusal | undefined {
  const outcome = outcomeOf(() => writerOf(sourceOf(texts).format, form, radixOf(texts)), limitsOf(settings));
  return "error" in outcome ? outcome : undefined;
}

/** The inputs as code. */
function codeOf(offered: OfferedFormat, format: AnyFormat, texts: Texts, count: string): string {
  const options = settingsCode(generatorSettings(offered, format), texts);
  const metabyte = settingsCode(
    offered.options.filter(({ key }) => key === "metabyte"),
    texts,
  );
  const byte = /\d+/.exec(metabyte)?.[0];
  const call =
    count === "1" ? `next(${byte ?? ""})` : `nextMany(${[count, byte].filter(Boolean).join(", ")})`;
  const made = formatCode(offered, texts);
  const declared = made === offered.code ? [] : [`const format = ${made};`];
  const ids = `const ids = ${declared.length === 0 ? made : "format"}.generator(${options});`;
  return [importCode(offered), "", ...declared, ids, `ids.${call};`].join("\n");
}

/** Explains the worker fields. `names`: their names in words. */
function Machines({ names, optional }: { readonly names: readonly string[]; readonly optional: boolean }) {
  const list = new Intl.ListFormat("en").format(names).replace(/^./, (letter) => letter.toUpperCase());
  return (
    <p class="warning">
      <strong>{list}</strong> {names.length === 1 ? "identifies" : "together identify"} the machine
      {optional ? " if you enter it" : ""}. Enter {names.length === 1 ? "a number" : "numbers"} that nobody
      else uses: no server, no colleague, and no other tab of this page. Otherwise, IDs can repeat.
    </p>
  );
}

const split = (settings: readonly Setting[]) => ({
  usual: settings.filter(({ rare }) => !rare),
  rare: settings.filter(({ rare }) => rare),
});

/** The values of the inputs, and the reason if the package rejects them. */
function useInputs(texts: Texts) {
  const offered = offeredOf(texts.format);
  const count = texts.count ?? "1";
  const form = fittingForm(offered.name, texts.form);
  const outcome = useMemo(
    () => outcomeOf(() => makeFormat(offered, texts), limitsOf(offered.settings)),
    [offered, texts],
  );
  const format = "value" in outcome ? outcome.value : undefined;
  const machines = format === undefined ? [] : machineSettings(offered, format);
  const settings = split(offered.settings);
  const options = split(offered.options);
  const rare = [...settings.rare, ...options.rare, ...policiesOf(offered)];
  const shown = [...offered.settings, ...machines, ...options.usual, ...rare];
  const found = refusalOf(texts, form, shown);
  const wrongCount = countError(count);
  return {
    ...{ texts, offered, format, form, count, wrongCount, found, machines, rare, shown },
    layout: settings.usual,
    usual: [...machines, ...options.usual],
    isReady: found === undefined && wrongCount === undefined,
  };
}

type Inputs = ReturnType<typeof useInputs>;

/** Writes the IDs again when the form changes, as soon as the radix is valid. */
function useRewriting({ work, order }: ReturnType<typeof useWorker>, inputs: Inputs): void {
  const { texts, offered, format, form } = inputs;
  const { busy, made } = work;
  const stale =
    made !== undefined &&
    busy === undefined &&
    made.texts.format === offered.name &&
    (work.form !== form || (form === "radix" && work.radix !== texts.radix));
  useEffect(() => {
    if (stale && format !== undefined && "value" in outcomeOf(() => writerOf(format, form, radixOf(texts))))
      order({ kind: "write", form, texts });
  }, [stale, format, form, texts, order]);
}

/** The properties that all parts of the form share. */
interface PartProps {
  readonly inputs: Inputs;
  readonly refusal: Refusal | undefined;
  readonly change: (texts: Texts) => void;
}

/** The inputs for the format, the number of IDs and their form. */
function Order({ inputs, refusal, change, choose }: PartProps & { readonly choose: (name: string) => void }) {
  const { texts, offered, count, wrongCount, form } = inputs;
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
        options={formsOf(offered.name)}
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

/** The inputs for the settings of the format and of its generator. */
function Options({ inputs, refusal, change }: PartProps) {
  const { texts, offered, layout, usual, machines, rare } = inputs;
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
          optional={machines.every(({ key }) => key in offered.optional)}
        />
      )}
      <details open={opened || rare.some(({ key }) => concerns(refusal, key))} onToggle={toggle}>
        <summary>More options</summary>
        <div class="fields">
          <Settings settings={rare} {...shared} />
        </div>
        <p class="quiet">
          With <code>borrow</code> and <code>hold</code>, IDs may have times ahead of the clock, which this
          page forgets when you close it. Before you generate more IDs with the same numbers, wait for that
          time.
        </p>
      </details>
    </>
  );
}

/** The inputs as code, if they are valid. */
function InCode({ texts, offered, format, count, isReady }: Inputs) {
  const code = format && isReady ? codeOf(offered, format, texts, count) : undefined;
  return (
    <details>
      <summary>In code</summary>
      {code === undefined ? <p class="quiet">Enter valid values to see the code.</p> : <Code code={code} />}
    </details>
  );
}

export function Make() {
  const [texts, change] = useFragment();
  const inputs = useInputs(texts);
  const { offered, form, count, found, isReady, shown } = inputs;
  const form$ = useRef<HTMLFormElement>(null);
  const submit$ = useRef<HTMLButtonElement>(null);
  const isPressed = useRef(false);
  const worker = useWorker(save);
  const { work, order, cancel } = worker;
  const { busy, made } = work;
  useRewriting(worker, inputs);
  const start = () =>
    order({ kind: "make", texts: { ...texts, format: offered.name }, count: Number(count), form });
  // Generate one ID at once. The reader can request more.
  useEffect(() => {
    if (isReady && count === "1" && busy === undefined && made?.texts.format !== offered.name) start();
  }, [isReady, count, busy, made, offered]);
  useEffect(() => {
    if (made !== undefined && isPressed.current) reveal(".result");
  }, [made]);
  const refusal = found ?? work.refusal;
  const placed = shown.some(({ key }) => concerns(refusal, key));
  /** Another format has other options, but the count stays the same. */
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
      {/* Hide the IDs of another format, because they do not match the inputs. */}
      {(made === undefined || busy !== undefined || made.texts.format === offered.name) && (
        <Result work={work} order={order} />
      )}
      <form ref={form$} onSubmit={make} noValidate>
        <Order {...{ inputs, refusal, change, choose }} />
        <Options {...{ inputs, refusal, change }} />
        <InCode {...inputs} />
        {refusal !== undefined && !placed && (
          <p class="refused" role="alert">
            <Refused refusal={refusal} />
          </p>
        )}
        <div class="buttons">
          {/* Use aria-disabled, because a disabled button loses the focus. */}
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
