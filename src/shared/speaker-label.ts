/** `1` becomes `S1`. */
export const formatSpeakerLabel = (speaker: string): string =>
  /^\d+$/.test(speaker) ? `S${speaker}` : speaker;
