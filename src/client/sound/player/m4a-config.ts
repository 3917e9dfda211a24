/** Of the browser's AAC encoder; every one that there is knows this rate. */
export const m4aConfig = {
  codec: "mp4a.40.2",
  sampleRate: 48_000,
  numberOfChannels: 1,
  bitrate: 64_000,
};

/** Whether this browser writes AAC. */
export async function canWriteM4a(): Promise<boolean> {
  if (typeof AudioEncoder !== "function" || typeof AudioData !== "function") return false;
  const answer = await AudioEncoder.isConfigSupported(m4aConfig).catch(() => null);
  return answer?.supported === true;
}
