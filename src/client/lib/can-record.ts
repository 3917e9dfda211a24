export const canRecord = (): boolean =>
  "AudioWorkletNode" in window && navigator.mediaDevices?.getUserMedia !== undefined;
