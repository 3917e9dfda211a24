/** What the page sends of a recording's sound from now on: bytes of its chunks, and the codecs. Runs in the page. */
export function countSentSound(): void {
  const sent = { bytes: 0, codecs: [] as string[] };
  Object.assign(window, { sentSound: sent });
  const { send } = WebSocket.prototype;
  WebSocket.prototype.send = function (this: WebSocket, data) {
    if (this.url.includes("/api/recordings/")) {
      if (typeof data !== "string") {
        // The chunk's number comes first.
        sent.bytes += (data instanceof Blob ? data.size : data.byteLength) - 4;
      } else if (data.includes('"config"')) sent.codecs.push(JSON.parse(data).codec ?? "pcm_s16le");
    }
    return send.call(this, data);
  };
}

/** Runs in the page. */
export const readSentSound = (): { bytes: number; codecs: string[] } =>
  Reflect.get(window, "sentSound");

/** Opus in Chromium 156, bytes of a second of the test pattern. */
export const opusBytesPerSecond = 2_520;
