import type { OpenMedia } from "./media-track.ts";

/** Recordings that are played one after another, as one. */
export function joinMedia(parts: readonly OpenMedia[]): OpenMedia {
  async function* readBlocks(fromMs: number) {
    let startMs = 0;
    for (const part of parts) {
      const partFromMs = Math.max(0, fromMs - startMs);
      if (partFromMs < part.lengthMs)
        for await (const block of part.readBlocks(partFromMs))
          yield { ...block, atMs: block.atMs + startMs };
      startMs += part.lengthMs;
    }
  }
  return {
    lengthMs: parts.reduce((sum, { lengthMs }) => sum + lengthMs, 0),
    // Their packets do not follow each other in steps of one length.
    isMonoOpus: false,
    canDecode: parts.every(({ canDecode }) => canDecode),
    readBlocks,
    async *readPackets() {},
    close() {
      for (const part of parts) part.close();
    },
  };
}
