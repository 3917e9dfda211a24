import { type RefObject, useEffect } from "react";
import { listen } from "#client/lib/listen.ts";
import { useFullscreen } from "#client/ui/use-fullscreen.ts";
import { innerParts, isPopupOpen, useOverlay } from "./use-overlay.ts";

/** Without pointer movement and keys for this long, everything but the text fades. */
const idleMs = 4_000;

/**
 * While `open`, `panel` covers the page, in the browser's full screen where that exists. Without input it
 * has `data-idle`, and elements of class `fades` disappear. `close` is called on Escape.
 */
export function useDistanceView(
  panel: RefObject<HTMLElement | null>,
  open: boolean,
  close: () => void,
): void {
  useOverlay(panel, open, close);
  useFullscreen(open, () => {
    // Full screen takes Escape before the page sees it: in a popup or an inner part the view stays.
    if (!isPopupOpen() && !document.activeElement?.closest(innerParts)) close();
  });
  useIdle(panel, open);
}

function useIdle(panel: RefObject<HTMLElement | null>, on: boolean): void {
  useEffect(() => {
    const box = panel.current;
    if (!box || !on) return;
    let timer: ReturnType<typeof setTimeout>;
    let place = "";
    const wake = () => {
      delete box.dataset.idle;
      clearTimeout(timer);
      timer = setTimeout(() => {
        if (isPopupOpen()) wake();
        else box.dataset.idle = "";
      }, idleMs);
    };
    const handleMove = ({ screenX, screenY }: PointerEvent) => {
      // Browsers also report a pointer under which the page has moved.
      const next = `${screenX},${screenY}`;
      if (next !== place) wake();
      place = next;
    };
    const unlisten = [
      listen(window, "pointermove", handleMove),
      listen(window, ["pointerdown", "keydown", "focusin"], wake, { capture: true }),
    ];
    wake();
    return () => {
      for (const end of unlisten) end();
      clearTimeout(timer);
      delete box.dataset.idle;
    };
  }, [panel, on]);
}
