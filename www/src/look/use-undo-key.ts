/** Undoes the last edit on Ctrl+Z or the platform's equivalent, wherever the focus is. */
import { useLayoutEffect } from "preact/hooks";

/**
 * Whether the browser itself can undo something there: a text that was typed but not yet entered,
 * or any text in another control.
 */
function isTheBrowsers(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)) return false;
  return target.dataset.typed !== undefined || target.closest(".drawing, .entry") === null;
}

/** `isEdited`: whether there is an edit to undo. */
export function useUndoKey(isEdited: boolean, undo: () => void): void {
  useLayoutEffect(() => {
    if (!isEdited) return;
    // The browser's own undo does not know about edits and would leave the text unchanged.
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
