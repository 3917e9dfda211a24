import { useEffect, useRef } from "react";
import type { TranscriptView } from "#client/realtime/session-types.ts";

/** New sentences are in the last block, or at the end of the one before it. */
const listRowsFrom = (transcript: TranscriptView, position: number) =>
  transcript.blocks
    .get()
    .slice(-2)
    .flatMap(({ rows }) => rows)
    .filter((row) => row.position >= position);

const countRows = (transcript: TranscriptView) => {
  const last = transcript.blocks.get().at(-1);
  return last ? last.from + last.rows.length : 0;
};

/** Announces each finished sentence to screen readers once, politely. */
export function Announcer({ transcript }: { transcript: TranscriptView }) {
  const region = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let next = countRows(transcript);
    return transcript.blocks.subscribe(() => {
      const count = countRows(transcript);
      // Many rows at once, or fewer than before, mean that another lecture was opened or the page was cleared.
      const isOtherLecture = count < next || count - next > 5;
      const newRows = isOtherLecture ? [] : listRowsFrom(transcript, next);
      next = count;
      if (!region.current || newRows.length === 0) return;
      region.current.textContent = newRows.map((row) => row.english).join(" ");
    });
  }, [transcript]);

  return <div ref={region} lang="en" aria-live="polite" className="sr-only" />;
}
