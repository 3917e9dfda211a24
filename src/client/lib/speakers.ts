/** `1` becomes `S1`. */
export const formatSpeakerLabel = (speaker: string): string =>
  /^\d+$/.test(speaker) ? `S${speaker}` : speaker;

/** The name that the person has given to `speaker`. */
export const findSpeakerName = (
  names: Readonly<Record<string, string>>,
  speaker: string,
): string | undefined => (Object.hasOwn(names, speaker) ? names[speaker] : undefined);
