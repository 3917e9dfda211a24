import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { listen } from "#client/lib/listen.ts";
import { readSelectedWords, type SelectedWords } from "./selected-words.ts";

/**
 * The words that are selected in a row of `page`, once the mouse is released. `keepOnPress` is for elements that a press
 * on must not take the selection from.
 */
export function useSelectedWords(page: RefObject<HTMLElement | null>, lecture: LectureDocument) {
  const [selected, setSelected] = useState<SelectedWords | null>(null);
  /** A press that may still change the selection, or that must not. */
  const isPressed = useRef(false);

  const read = useEffectEvent(() => {
    if (isPressed.current) return;
    const box = page.current;
    const next =
      box && readSelectedWords(window.getSelection(), box, lecture.transcript.blocks.get());
    setSelected((now) => (isSameSelection(now, next) ? now : next));
  });
  useEffect(() => {
    const update = () => read();
    const press = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      isPressed.current = true;
      if (event.target instanceof Element && page.current?.contains(event.target))
        setSelected(null);
    };
    const release = () => {
      if (!isPressed.current) return;
      isPressed.current = false;
      // A click within the selection ends it after this event.
      setTimeout(update);
    };
    const unlisten = [
      listen(document, "selectionchange", update),
      listen(window, "pointerdown", press, { capture: true }),
      listen(window, ["pointerup", "pointercancel"], release, { capture: true }),
    ];
    // Words may have been selected before this part of the page was there.
    update();
    return () => {
      for (const end of unlisten) end();
    };
  }, [page]);

  /** For `onPointerDown`. */
  const keepOnPress = () => {
    isPressed.current = true;
  };
  /** Ends the selection, and with it what is shown for it. */
  function end() {
    window.getSelection()?.removeAllRanges();
    setSelected(null);
  }
  return { selected, keepOnPress, end };
}

const isSameSelection = (one: SelectedWords | null, other: SelectedWords | null) =>
  one?.words === other?.words &&
  one?.row === other?.row &&
  one?.text === other?.text &&
  one?.range.startOffset === other?.range.startOffset &&
  one?.range.startContainer === other?.range.startContainer;
