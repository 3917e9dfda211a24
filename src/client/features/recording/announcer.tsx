import { useEffect, useRef } from "react";
import type { TranscriptView } from "#client/realtime/types.ts";

function listRowsFrom(transcript: TranscriptView, position: number) {
  const blocks = transcript.blocks.get();
  const last = blocks.at(-1);
  if (!last) return [];
  // New sentences are in the last block, or at its edge in the one before it.
  return [...(blocks.at(-2)?.rows ?? []), ...last.rows].filter((row) => row.position >= position);
}

const countRows = (transcript: TranscriptView) => {
  const last = transcript.blocks.get().at(-1);
  return last ? last.from + last.rows.length : 0;
};

/** Reads finished sentences out to a screen reader, politely and once each. */
export function Announcer({ transcript }: { transcript: TranscriptView }) {
  const region = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let next = countRows(transcript);
    return transcript.blocks.subscribe(() => {
      const end = countRows(transcript);
      // More than a sentence or two at once is a lecture that was opened, or a blank page.
      const opened = end < next || end - next > 5;
      const fresh = opened ? [] : listRowsFrom(transcript, next);
      next = end;
      if (!region.current || fresh.length === 0) return;
      region.current.textContent = fresh.map((row) => row.english).join(" ");
    });
  }, [transcript]);

  return <div ref={region} lang="en" aria-live="polite" className="sr-only" />;
}
