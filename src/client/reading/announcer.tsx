import { useEffect, useRef } from "react";
import type { TranscriptRow, TranscriptView } from "#client/realtime/session-types.ts";
import { languages } from "#shared/languages.ts";
import type { ShownText } from "./shown-texts.ts";

/** New sentences are in the last block, or at the end of the one before it. */
const listLastRows = ({ blocks }: TranscriptView) =>
  blocks
    .get()
    .slice(-2)
    .flatMap(({ rows }) => rows);

const countRows = (transcript: TranscriptView) =>
  (listLastRows(transcript).at(-1)?.position ?? -1) + 1;

interface AnnouncerProps {
  transcript: TranscriptView;
  texts: readonly ShownText[];
}

/**
 * Announces each finished sentence to screen readers once, politely: its translation where only that is
 * shown, otherwise the English.
 */
export function Announcer({ transcript, texts }: AnnouncerProps) {
  const region = useRef<HTMLDivElement>(null);
  const isTranslationShown = texts.length === 1 && texts[0] === "translation";

  useEffect(() => {
    let lastCount = countRows(transcript);
    let next = lastCount;
    return transcript.blocks.subscribe(() => {
      const count = countRows(transcript);
      // Many rows at once, or fewer than before, mean that another lecture was opened or the page was cleared.
      if (count < lastCount || count - lastCount > 5) next = count;
      lastCount = count;
      const rows = listLastRows(transcript).filter(({ position }) => position >= next);
      const waiting = rows.findIndex(({ translation }) => translation === "waiting");
      const ready = isTranslationShown && waiting !== -1 ? rows.slice(0, waiting) : rows;
      const lastRow = ready.at(-1);
      if (!region.current || !lastRow) return;
      next = lastRow.position + 1;
      const hasTranslation = (row: TranscriptRow) =>
        isTranslationShown && row.translation === "done";
      region.current.lang =
        hasTranslation(lastRow) && lastRow.translatedInto
          ? languages[lastRow.translatedInto].tag
          : "en";
      region.current.textContent = ready
        .map((row) => (hasTranslation(row) ? row.translated : row.english))
        .join(" ");
    });
  }, [transcript, isTranslationShown]);

  return <div ref={region} lang="en" aria-live="polite" className="sr-only" />;
}
