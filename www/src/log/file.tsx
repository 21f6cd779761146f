/** Lets the reader choose a file or drop one anywhere on the page. */
import { useEffect, useState } from "preact/hooks";
import "./file.css";

const hasFile = (event: DragEvent): boolean => event.dataTransfer?.types.includes("Files") ?? false;

export function FileEntry({ onFile }: { readonly onFile: (file: File) => void }) {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const enter = (event: DragEvent) => {
      if (!hasFile(event)) return;
      // Otherwise the browser would replace the page with the file.
      event.preventDefault();
      setOver(true);
    };
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      setOver(false);
      const file = event.dataTransfer?.files[0];
      if (file === undefined) return;
      event.preventDefault();
      onFile(file);
    };
    addEventListener("dragover", enter);
    addEventListener("dragleave", leave);
    addEventListener("drop", drop);
    return () => {
      removeEventListener("dragover", enter);
      removeEventListener("dragleave", leave);
      removeEventListener("drop", drop);
    };
  }, [onFile]);
  return (
    <label class="file-entry">
      <span>Open a log file</span>
      <input
        type="file"
        class="visually-hidden"
        onChange={(event) => {
          const file = event.currentTarget.files?.[0];
          if (file !== undefined) onFile(file);
          // Allow the same file to be chosen again.
          event.currentTarget.value = "";
        }}
      />
      {over && <div class="file-over">Drop the file to read its IDs</div>}
    </label>
  );
}
