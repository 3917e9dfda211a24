import { type RefObject, useEffect, useEffectEvent, useState } from "react";
import type { LectureDocument, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { useField } from "#client/lib/hooks.ts";
import { Signal } from "#client/lib/observable.ts";
import type { SoundPlayer } from "#client/sound/player/sound-player.ts";
import type { Gap } from "#shared/recorded-take.ts";

/** The open dialog of the reading surface. `first`: the speaker whose name field takes the focus. */
export type ReadingDialog =
  | { kind: "retranslate" | "improve" | "again" | "recording" | "flashcards" | "slides" }
  | { kind: "speakers"; first: string | null };

export const readingDialog = new Signal<ReadingDialog | null>(null);

/**
 * Brings back what a lecture was before it was translated, or recognised, again as a whole: in the document that is shown
 * of it then, because one that was left is closed. Null without that.
 */
export const passUndo = new Signal<{
  of: "improve" | "again";
  lectureId: string;
  undo: (shown: LectureDocument) => void;
} | null>(null);

/** Of a lecture of whose sound nothing is known. */
export const noGaps = new Signal<readonly Gap[]>([]);

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

/** Of what works on the rows of a lecture. */
export interface PageProps {
  lecture: LectureDocument;
  /** The scrolling element with the rows. */
  page: RefObject<HTMLElement | null>;
}

/** The row of which a word is chosen to be looked up; null: none. */
export const lookUpRow = new Signal<HTMLElement | null>(null);

/** Of what stands beside the text of a lecture, or in its place. */
export interface PartProps {
  lecture: LectureDocument;
  /** Its field takes the focus when it is opened. */
  takesFocus: boolean;
  /** Shows the text, where the part has its place. */
  showText: () => void;
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

/** Opens the questions about the shown lecture, or closes them; null where it cannot be asked. */
export const askControl = new Signal<{ toggle: () => void } | null>(null);

/**
 * A number that changes when another lecture is shown, and not when a new one is created on the server, or when the same
 * one is opened to be recorded.
 */
export function useLectureKey(lecture: LectureDocument): number {
  const id = useField(lecture.view, "lecture")?.id ?? null;
  const [shown, setShown] = useState({ lecture, id, key: 0 });
  if (shown.lecture === lecture && shown.id === id) return shown.key;
  const isSame = shown.id === null ? shown.lecture === lecture : shown.id === id;
  const key = isSame ? shown.key : shown.key + 1;
  setShown({ lecture, id, key });
  return key;
}

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
