import { useEffect, useEffectEvent, useState } from "react";

/**
 * Accepts files dropped anywhere in the window, on element `target`. Returns the element over which files are dragged
 * now, null without any.
 *
 * @param isActive false: the drop is left to others
 */
export function useDroppedFiles(
  onFiles: (files: readonly File[], target: Element) => void,
  isActive: () => boolean = () => true,
): Element | null {
  const [draggedOver, setDraggedOver] = useState<Element | null>(null);
  const onDrop = useEffectEvent(onFiles);
  const accepts = useEffectEvent(
    ({ dataTransfer }: DragEvent) => (dataTransfer?.types.includes("Files") ?? false) && isActive(),
  );
  useEffect(() => {
    const events = new AbortController();
    const { signal } = events;
    const getTarget = ({ target }: DragEvent) =>
      target instanceof Element ? target : document.documentElement;
    const drag = (event: DragEvent) => {
      if (!accepts(event)) return;
      event.preventDefault();
      setDraggedOver(getTarget(event));
    };
    // Moving between elements fires this event, too.
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) setDraggedOver(null);
    };
    const drop = (event: DragEvent) => {
      setDraggedOver(null);
      if (!accepts(event)) return;
      event.preventDefault();
      onDrop([...(event.dataTransfer?.files ?? [])], getTarget(event));
    };
    window.addEventListener("dragenter", drag, { signal });
    window.addEventListener("dragover", drag, { signal });
    window.addEventListener("dragleave", leave, { signal });
    window.addEventListener("drop", drop, { signal });
    return () => events.abort();
  }, []);
  return draggedOver;
}
