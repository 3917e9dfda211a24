import type { ReactNode } from "react";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { Signal } from "#client/lib/observable.ts";

/** Why the page offers to go on with the browser's recognition; null: it does not. */
export const speechOffer = new Signal<"limit" | "busy" | null>(null);

/** What takes the place of Record when no recording time is left; null while there is some, or none is known. */
export const timeOffer = new Signal<"browser" | "plans" | "signIn" | null>(null);

/** The dialogs of the recording screen. */
export type DialogKind = "save" | "keep" | "settings" | "speech";

export const currentDialog = new Signal<DialogKind | null>(null);

export const openDialog = (kind: DialogKind): void => currentDialog.set(kind);

/** Whether the card is open with the languages and the look of the text. */
export const isTextCardOpen = new Signal(false);

interface Sample {
  lecture: LectureDocument & { dispose(): void };
  /** In place of the recording controls. */
  controls: ReactNode;
}

/** The sample lecture while it is shown in place of the session's own lecture. */
export const currentSample = new Signal<Sample | null>(null);

export function endSample(): void {
  currentSample.get()?.lecture.dispose();
  currentSample.set(null);
}
