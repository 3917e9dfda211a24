import { useEffect, useEffectEvent, useState } from "react";

/** Accepts files dropped anywhere in the window. Returns true while something is dragged over it. */
export function useDroppedFiles(onFiles: (files: readonly File[]) => void): boolean {
  const [isDraggedOver, setIsDraggedOver] = useState(false);
  const onDrop = useEffectEvent(onFiles);
  useEffect(() => {
    const events = new AbortController();
    const { signal } = events;
    const drag = (event: DragEvent) => {
      event.preventDefault();
      setIsDraggedOver(true);
    };
    // Moving between elements fires this event, too.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setIsDraggedOver(false);
    };
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setIsDraggedOver(false);
      onDrop([...(event.dataTransfer?.files ?? [])]);
    };
    window.addEventListener("dragenter", drag, { signal });
    window.addEventListener("dragover", drag, { signal });
    window.addEventListener("dragleave", leave, { signal });
    window.addEventListener("drop", drop, { signal });
    return () => events.abort();
  }, []);
  return isDraggedOver;
}
