/** Whether this browser can hear at all. */
export const canRecord = (): boolean =>
  "AudioWorkletNode" in window && navigator.mediaDevices?.getUserMedia !== undefined;
