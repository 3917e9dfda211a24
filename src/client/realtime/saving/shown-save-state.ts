import type { SaveState, SessionView } from "#client/realtime/session-types.ts";

/** Usual saves take a few seconds and are not shown; after this time the page says what is not saved. */
export const unsavedShownMs = 15_000;

/** What the page says of saving: `saved` until something has waited for 15 s or has failed. */
export function getShownSaveState(
  { saveState, unsavedSince }: Pick<SessionView, "saveState" | "unsavedSince">,
  nowMs: number,
): Exclude<SaveState, "failed" | "saving"> {
  if (saveState === "failed") return "unsaved";
  if (saveState !== "unsaved" && saveState !== "saving") return saveState;
  const isLate = unsavedSince !== null && nowMs - unsavedSince >= unsavedShownMs;
  return isLate ? "unsaved" : "saved";
}
