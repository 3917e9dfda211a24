import type { TranscriptView } from "../../realtime/contract.ts";

/** The speakers of the lecture, as its rows carry them, in the order in which they first spoke. */
export function speakersOf(transcript: TranscriptView): string[] {
  const found = new Set<string>();
  for (const block of transcript.blocks.get())
    for (const { speaker } of block.rows) if (speaker !== null) found.add(speaker);
  return [...found];
}
