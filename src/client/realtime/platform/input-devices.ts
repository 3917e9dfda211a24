import type { MicrophoneDevice } from "#client/realtime/session-types.ts";
import type { AudioSource } from "./ports.ts";

/** Ids under which a browser lists an input a second time. */
const aliases: ReadonlySet<string> = new Set(["", "default", "communications"]);

export const inputDevices: Omit<AudioSource, "open"> = {
  isSupported: () =>
    typeof AudioWorkletNode === "function" && navigator.mediaDevices?.getUserMedia !== undefined,

  async listDevices(): Promise<MicrophoneDevice[]> {
    try {
      const devices = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
      return (
        devices
          // Without the permission the browser lists one input with an empty id.
          .filter(({ kind, deviceId }) => kind === "audioinput" && !aliases.has(deviceId))
          .map(({ deviceId, label }) => ({ id: deviceId, label }))
      );
    } catch {
      return [];
    }
  },

  onDeviceChange(listener: () => void): () => void {
    const devices = navigator.mediaDevices;
    // Absent on pages without HTTPS.
    if (devices?.addEventListener === undefined) return () => {};
    devices.addEventListener("devicechange", listener);
    return () => devices.removeEventListener("devicechange", listener);
  },
};
