/**
 * A control with a label above it and, below it, a hint or the reason why its value is rejected.
 */
import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { Refusal } from "./refusal.ts";
import { Refused } from "./refused.tsx";

/** The properties of every labelled control. */
export interface Labels {
  readonly label: string;
  /** The reason why the value is rejected. */
  readonly error?: string | Refusal | undefined;
  /** The hint in small print below the control. */
  readonly hint?: ComponentChildren;
  readonly width?: string;
}

/** The attributes that connect the control with its label and the small print. */
export interface Ties {
  readonly id: string;
  readonly "aria-invalid": "true" | undefined;
  readonly "aria-describedby": string;
}

interface Properties extends Labels {
  /** Renders the control. */
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
