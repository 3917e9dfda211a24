import { useSyncExternalStore } from "react";
import { listen } from "./listen.ts";

/** A hook: whether the window is as `query` says; `prerendered` while the build renders pages. */
function createMediaHook(query: string, prerendered = false): () => boolean {
  const media = window.matchMedia(query);
  const subscribe = (listener: () => void) => listen(media, "change", listener);
  return () =>
    useSyncExternalStore(
      subscribe,
      () => media.matches,
      () => prerendered,
    );
}

export const useCoarsePointer = createMediaHook("(pointer: coarse)");

/** Texts are in one column, and little else has room. */
export const useNarrowWindow = createMediaHook("(width < 43.75rem)");

/** The window has room for a column of folders, from the breakpoint `book` on. */
export const useBookWindow = createMediaHook("(min-width: 56.25rem)", true);

/** The window has room for a column beside the text of a lecture. */
export const useWideWindow = createMediaHook("(min-width: 75rem)");
