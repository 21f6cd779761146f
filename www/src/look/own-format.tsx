/** The inputs for an epoch or a layout, for formats that accept them. */
import { Choice } from "../lib/choice.tsx";
import type { AnyFormat } from "../lib/formats.ts";
import type { Texts } from "../lib/offered.ts";
import { DECLARABLE, ownOffered } from "../lib/own-format.ts";
import type { Outcome } from "../lib/refusal.ts";
import { useLater } from "../lib/use-later.ts";

const loadSettings = () => import("../lib/settings.tsx");

/**
 * The address also contains the initial values of the inputs, so that a link never changes its
 * meaning.
 */
function presets(own: string, texts: Texts): Texts {
  const settings = ownOffered({ own })?.settings ?? [];
  return Object.fromEntries(settings.map(({ key, preset = "" }) => [key, texts[key] ?? preset]));
}

interface Properties {
  readonly texts: Texts;
  readonly made: Outcome<AnyFormat> | undefined;
  readonly onChange: (changes: Texts) => void;
}

export function OwnFormat({ texts, made, onChange }: Properties) {
  const offered = ownOffered(texts);
  const Settings = useLater(offered !== undefined, loadSettings)?.Settings;
  return (
    <details class="card" open={offered !== undefined}>
      <summary>Your own epoch or layout</summary>
      <div class="fields">
        <Choice
          label="Format"
          value={offered?.name ?? ""}
          options={[["", "none"], ...DECLARABLE.map(({ name, title }) => [name, title] as const)]}
          onChange={(own) => onChange({ own, ...presets(own, texts) })}
          width="15rem"
        />
        {Settings && offered !== undefined && (
          <Settings
            settings={offered.settings}
            texts={texts}
            refusal={made !== undefined && "error" in made ? made : undefined}
            onChange={(key, text) => onChange({ [key]: text })}
          />
        )}
      </div>
    </details>
  );
}
