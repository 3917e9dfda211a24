import type { BrowserContext } from "@playwright/test";

/**
 * Gives the pages of `context` a microphone with a voice that does not end: noise in syllables, which the stand-in for
 * speech recognition hears as the sample lecture. Samples that a busy machine drops are words spoken later, none missing.
 */
export async function installVoiceMicrophone(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const syllableSeconds = 0.42;
    const pauseSeconds = 0.06;
    // Insecure pages have no `mediaDevices`.
    if (navigator.mediaDevices === undefined) return;
    navigator.mediaDevices.getUserMedia = async () => {
      const audio = new AudioContext();
      const { sampleRate } = audio;
      const length = Math.round((syllableSeconds + pauseSeconds) * sampleRate);
      const buffer = new AudioBuffer({ length, sampleRate, numberOfChannels: 1 });
      const samples = buffer.getChannelData(0);
      for (let at = 0; at < syllableSeconds * sampleRate; at += 1)
        samples[at] = (Math.random() - 0.5) * 0.5;
      const voice = new AudioBufferSourceNode(audio, { buffer, loop: true });
      const destination = audio.createMediaStreamDestination();
      voice.connect(destination);
      voice.start();
      return destination.stream;
    };
  });
}
