/** The progress of a run, and the button that ends it. Shown only during a run. */
import { useLayoutEffect, useRef } from "preact/hooks";

interface Properties {
  readonly done: number;
  readonly of: number;
  readonly cancel: () => void;
  /** Takes the focus, if the button had it when the run ended. */
  readonly after: () => void;
}

export function Running({ done, of, cancel, after }: Properties) {
  const button = useRef<HTMLButtonElement>(null);
  // Before the button disappears.
  useLayoutEffect(
    () => () => {
      if (button.current !== null && button.current === document.activeElement) after();
    },
    [],
  );
  return (
    <>
      <button type="button" onClick={cancel} ref={button}>
        Cancel
      </button>
      <progress aria-label="Progress" max={Math.max(1, of)} value={done} />
    </>
  );
}
