/** Ctrl+Z, or its like: takes the last edit back, wherever the focus is. */
import { useLayoutEffect } from "preact/hooks";

/** Whether the browser has something of its own to take back there: what was typed and is not yet entered, or in a control elsewhere. */
function isTheBrowsers(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return false;
  return target.dataset.typed !== undefined || target.closest(".drawing, .entry") === null;
}

/** `isEdited`: whether there is something to take back. */
export function useUndoKey(isEdited: boolean, undo: () => void): void {
  useLayoutEffect(() => {
    if (!isEdited) return;
    // The browser's own way back knows nothing of edits, and would leave the text as it is.
    const onKeyDown = (event: KeyboardEvent) => {
      const isUndo = event.key.toLowerCase() === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      if (!isUndo || isTheBrowsers(event.target)) return;
      event.preventDefault();
      undo();
    };
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [isEdited, undo]);
}
