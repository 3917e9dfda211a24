import { useEffect, useEffectEvent } from "react";
import { Signal, useField } from "#client/lib/signal.ts";
import type { LectureDocument, TranscriptRow } from "#client/realtime/lecture/lecture-document.ts";
import type { SoundPlayer } from "#client/realtime/sound/sound-player.ts";

/** The open dialog of the reading surface. `first`: the speaker whose name field takes the focus. */
export type ReadingDialog =
  | { kind: "retranslate" | "improve" | "again" | "recording" | "flashcards" }
  | { kind: "speakers"; first: string | null };

export const readingDialog = new Signal<ReadingDialog | null>(null);

/** Brings back what a lecture was before it was translated, or recognised, again as a whole. Null without that. */
export const passUndo = new Signal<{
  of: "improve" | "again";
  lectureId: string;
  undo: () => void;
} | null>(null);

/** Whether the field is open that finds words in the lecture. */
export const isFindOpen = new Signal(false);

/** The player of the shown lecture's kept sound; null while none is kept, or while it is recorded. */
export const shownSound = new Signal<SoundPlayer | null>(null);

/** A row that a person has corrected, before and after it. */
export interface CorrectedRow {
  before: TranscriptRow;
  after: { original: string; translated: string };
}

/** The last correction, until something has looked for a term in it. */
export const correctedRow = new Signal<CorrectedRow | null>(null);

/** Of a form in one of these dialogs. */
export interface LectureFormProps {
  lecture: LectureDocument;
  onClose: () => void;
}

/** Calls `run` when another lecture begins to load in the place of `lecture`. */
export function useOnLoading(lecture: Pick<LectureDocument, "view">, run: () => void): void {
  const isLoading = useField(lecture.view, "busy") === "loading";
  const onLoading = useEffectEvent(run);
  useEffect(() => {
    if (isLoading) onLoading();
  }, [isLoading]);
}

/** Of the recap of the shown lecture, for its button among the page's tools; null while none is offered. */
export const recapControl = new Signal<{ isOpen: boolean; toggle: () => void } | null>(null);
