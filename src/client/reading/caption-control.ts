import { Signal } from "#client/lib/signal.ts";

interface CaptionControl {
  isOpen: boolean;
  /** The browser has refused to open the window. */
  isBlocked: boolean;
  /** Fetches what the window shows. */
  preload: () => void;
  /** Opens the window or closes it. Called for a click or a key: browsers open windows for nothing else. */
  toggle: () => void;
}

/** Of the window with captions, for its button among the page's tools; null where there is no such window. */
export const captionControl = new Signal<CaptionControl | null>(null);
