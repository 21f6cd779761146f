/** A control with its label above it, and below it what to enter or why it is refused. */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Refusal } from "./refusal.ts";
import { Refused } from "./refused.tsx";

/** The properties of every labelled control. */
export interface Labels {
  readonly label: string;
  /** Why the value is refused. */
  readonly error?: string | Refusal | undefined;
  /** What to enter, in small print below. */
  readonly hint?: ComponentChildren;
  readonly width?: string;
}

/** The attributes that connect the control with its label and with the small print. */
export interface Ties {
  readonly id: string;
  readonly "aria-invalid": "true" | undefined;
  readonly "aria-describedby": string;
}

interface Properties extends Labels {
  /** Makes the control. */
  readonly children: (ties: Ties) => ComponentChildren;
}

export function Labelled({ label, error, hint, width, children }: Properties) {
  const id = useId();
  const about = `${id}-about`;
  const isRefused = error !== undefined;
  return (
    <div class="field" style={width === undefined ? {} : { width }}>
      <label for={id}>{label}</label>
      {children({ id, "aria-invalid": isRefused ? "true" : undefined, "aria-describedby": about })}
      <small id={about} class={isRefused ? "refused" : "quiet"} role={isRefused ? "alert" : undefined}>
        {isRefused ? <Refused refusal={error} /> : hint}
      </small>
    </div>
  );
}
