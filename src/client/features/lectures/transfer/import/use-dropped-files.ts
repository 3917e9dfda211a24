import { useEffect, useRef, useState } from "react";

/**
 * Takes files that are dropped anywhere in the window, which would otherwise leave the page for them.
 * True while something is dragged over the window.
 */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(onFiles);
  useEffect(() => {
    latest.current = onFiles;
  });
  useEffect(() => {
    const events = new AbortController();
    const { signal } = events;
    const drag = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    // From one element to the next is no leaving.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      latest.current([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragenter", drag, { signal });
    window.addEventListener("dragover", drag, { signal });
    window.addEventListener("dragleave", leave, { signal });
    window.addEventListener("drop", drop, { signal });
    return () => events.abort();
  }, []);
  return over;
}
