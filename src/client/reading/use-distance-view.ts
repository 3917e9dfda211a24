import { type RefObject, useEffect, useEffectEvent } from "react";
import { innerParts, isPopupOpen } from "./popups.ts";
import { useOverlay } from "./use-overlay.ts";

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
  useFullscreen(open, close);
  useIdle(panel, open);
}

function useFullscreen(on: boolean, onExit: () => void): void {
  const handleExit = useEffectEvent(() => {
    if (document.fullscreenElement) return;
    // Full screen takes Escape before the page sees it: in a popup or an inner part the view stays.
    if (!isPopupOpen() && !document.activeElement?.closest(innerParts)) onExit();
  });
  useEffect(() => {
    if (!on || !document.fullscreenEnabled) return;
    let isOn = true;
    const leave = () => {
      if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    };
    const exited = () => handleExit();
    // The whole document, because popups are outside the panel. Where it is refused, the panel is enough.
    document.documentElement.requestFullscreen().then(
      () => (isOn ? document.addEventListener("fullscreenchange", exited) : leave()),
      () => {},
    );
    return () => {
      isOn = false;
      document.removeEventListener("fullscreenchange", exited);
      leave();
    };
  }, [on]);
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
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("pointermove", handleMove, { signal });
    for (const kind of ["pointerdown", "keydown", "focusin"] as const)
      window.addEventListener(kind, wake, { signal, capture: true });
    wake();
    return () => {
      listening.abort();
      clearTimeout(timer);
      delete box.dataset.idle;
    };
  }, [panel, on]);
}
