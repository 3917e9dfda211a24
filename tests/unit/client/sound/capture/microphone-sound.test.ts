import { describe, expect, it } from "vitest";
import {
  createMicrophoneConstraints,
  readGivenSound,
} from "#client/sound/capture/microphone-sound.ts";

const read = (settings: MediaTrackSettings) => readGivenSound({ getSettings: () => settings });

describe("the sound of a microphone", () => {
  it("is asked for in one channel, with or without what the browser changes", () => {
    const changes = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
    expect(createMicrophoneConstraints(true)).toEqual({ channelCount: 1, ...changes });
    const none = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    expect(createMicrophoneConstraints(false)).toEqual({ channelCount: 1, ...none });
  });

  it("is what the browser says that it gives", () => {
    const given = { sampleRate: 48_000, channelCount: 1 };
    const raw = { echoCancellation: false, noiseSuppression: false, autoGainControl: false };
    expect(read({ ...given, ...raw })).toEqual({ rate: 48_000, channels: 1, isProcessed: false });
    // Of what was asked for, browsers may do a part.
    expect(read({ ...given, ...raw, noiseSuppression: true }).isProcessed).toBe(true);
    const named = { ...raw, echoCancellation: "remote-only" } as unknown as MediaTrackSettings;
    expect(read(named).isProcessed).toBe(true);
  });

  it("is not known where the browser says nothing", () => {
    expect(read({})).toEqual({ rate: null, channels: null, isProcessed: null });
  });
});
