import { Signal } from "#client/lib/observable.ts";

/** What a microphone is asked for, and what it gives. */

/** One channel. `isProcessed`: the browser takes out echo and noise, and evens out the loudness. */
export const createMicrophoneConstraints = (isProcessed: boolean): MediaTrackConstraints => ({
  channelCount: 1,
  echoCancellation: isProcessed,
  noiseSuppression: isProcessed,
  autoGainControl: isProcessed,
});

/** Null: the browser does not say. */
export interface GivenSound {
  /** Hz. */
  rate: number | null;
  channels: number | null;
  /** At least one of echo, noise and loudness is changed. */
  isProcessed: boolean | null;
}

export function readGivenSound(track: Pick<MediaStreamTrack, "getSettings">): GivenSound {
  const { sampleRate, channelCount, ...settings } = track.getSettings();
  const { echoCancellation, noiseSuppression, autoGainControl } = settings;
  const changes = [echoCancellation, noiseSuppression, autoGainControl];
  const isKnown = changes.some((change) => change !== undefined);
  return {
    rate: sampleRate ?? null,
    channels: channelCount ?? null,
    // Newer browsers have names for kinds of echo cancellation.
    isProcessed: isKnown
      ? changes.some((change) => change !== undefined && change !== false)
      : null,
  };
}

/** Of the microphone that was opened last in this tab; null: none was. */
export const givenSound = new Signal<GivenSound | null>(null);
