import { useEffect, useEffectEvent, useRef } from "react";
import type {
  LectureDocument,
  TranscriptRow,
  TranscriptView,
} from "#client/lecture/lecture-document.ts";
import { type Announcement, Announcements } from "./announcements.ts";
import { isTranslationOnly, type ShownText } from "./shown-texts.ts";

/** New sentences are in the last block, or at the end of the one before it. */
const listLastRows = ({ blocks }: TranscriptView) =>
  blocks
    .get()
    .slice(-2)
    .flatMap(({ rows }) => rows);

/** A screen reader may not have read the ones before yet. */
const keptMax = 10;

interface AnnouncerProps {
  lecture: LectureDocument;
  texts: readonly ShownText[];
}

/**
 * Announces each finished sentence to screen readers once, politely: its translation where only that is
 * shown, otherwise the original.
 */
export default function Announcer({ lecture, texts }: AnnouncerProps) {
  const region = useRef<HTMLDivElement>(null);
  const announce = useEffectEvent((announcements: Announcements) => {
    const pair = lecture.view.get();
    const { status, busy } = pair;
    const state = {
      // After a Stop the last sentences still come from the live line.
      isLive: status === "recording" || lecture.transcript.live.get() !== null,
      isOpening: busy === "loading",
      isTranslationOnly: (row: TranscriptRow) => isTranslationOnly(texts, row, pair),
    };
    region.current?.append(
      ...announcements.update(listLastRows(lecture.transcript), state).map(toElement),
    );
    while (region.current && region.current.childElementCount > keptMax)
      region.current.firstElementChild?.remove();
  });

  useEffect(() => {
    const announcements = new Announcements(listLastRows(lecture.transcript));
    return lecture.transcript.blocks.subscribe(() => announce(announcements));
  }, [lecture]);

  return <div ref={region} aria-live="polite" data-announcements className="sr-only" />;
}

function toElement({ text, lang }: Announcement): HTMLElement {
  const element = document.createElement("p");
  element.lang = lang;
  element.translate = false;
  element.textContent = text;
  return element;
}
