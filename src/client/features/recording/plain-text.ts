import type { TranscriptView } from "../../realtime/contract.ts";

/** The transcript as text to be pasted elsewhere: each sentence, its translation below it, then a blank line. */
export function plainText(transcript: TranscriptView): string {
  return transcript.blocks
    .get()
    .flatMap((block) => block.rows)
    .map(({ english, translated, translation }) =>
      translation === "done" && translated ? `${english}\n${translated}` : english,
    )
    .join("\n\n");
}
