/** The progress of a run, with a button that cancels it. */
import { useLayoutEffect, useRef } from "preact/hooks";

interface Properties {
  readonly done: number;
  readonly of: number;
  readonly cancel: () => void;
  /** Moves the focus, if the button had it when the run ended. */
  readonly after: () => void;
}

export function Running({ done, of, cancel, after }: Properties) {
  const button = useRef<HTMLButtonElement>(null);
  // Runs before the button disappears.
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
