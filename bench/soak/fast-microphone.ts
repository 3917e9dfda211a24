import type { BrowserContext } from "@playwright/test";

const path = "/soak.pcm";
/** Interval of the deliveries, ms. */
const tickMs = 40;

/**
 * Gives the pages of `context` a microphone that delivers `pcm` (16-bit, 16 kHz) from its beginning,
 * `speed` times as fast as it was spoken, to the page's own code behind the worklet.
 */
export async function installFastMicrophone(
  context: BrowserContext,
  pcm: Buffer,
  speed: number,
): Promise<void> {
  await context.route(`**${path}`, (route) => route.fulfill({ body: pcm }));
  // tsx names functions with a helper that a page does not have.
  await context.addInitScript("globalThis.__name = (named) => named");
  await context.addInitScript(
    ([url, interval, factor]) => {
      const sampleRate = 16_000;
      /** When each chunk of the take was delivered, and how long after that it was first sent, ms. */
      let delivered: number[] = [];
      let delays: number[] = [];
      Reflect.set(window, "readSoakDelays", () => ({ delays, delivered: delivered.length }));
      const send = WebSocket.prototype.send;
      WebSocket.prototype.send = function (data) {
        if (data instanceof Uint8Array) {
          const seq = new DataView(data.buffer).getUint32(0);
          const at = delivered[seq];
          if (at !== undefined) delays[seq] ??= performance.now() - at;
        }
        send.call(this, data);
      };
      navigator.mediaDevices.getUserMedia = async () => new MediaStream();

      class Node {
        connect(next: Node): Node {
          return next;
        }
        disconnect(): void {}
      }

      class Context {
        state = "running";
        destination = new Node();
        audioWorklet = { addModule: async () => {} };
        createMediaStreamSource(): Node {
          return new Node();
        }
        async resume(): Promise<void> {}
        async close(): Promise<void> {
          this.state = "closed";
        }
      }

      class Analyser extends Node {
        fftSize = 1_024;
        getFloatTimeDomainData(samples: Float32Array): void {
          samples.fill(0.1);
        }
      }

      class Worklet extends Node {
        readonly port;
        constructor(
          _context: Context,
          _name: string,
          options: { processorOptions: { chunkSamples: number } },
        ) {
          super();
          const { chunkSamples } = options.processorOptions;
          const bytes = chunkSamples * 2;
          let timer = 0;
          let sent = 0;
          delivered = [];
          delays = [];
          const port = {
            onmessage: null as ((event: { data: object }) => void) | null,
            postMessage() {
              clearInterval(timer);
              for (const type of ["flushed", "ended"])
                setTimeout(() => port.onmessage?.({ data: { type } }));
            },
          };
          this.port = port;
          const begin = performance.now();
          void fetch(url)
            .then((response) => response.arrayBuffer())
            .then((sound) => {
              timer = window.setInterval(() => {
                const elapsedMs = (performance.now() - begin) * factor;
                for (; (sent * chunkSamples * 1_000) / sampleRate < elapsedMs; sent += 1) {
                  const at = (sent * bytes) % (sound.byteLength - bytes);
                  const even = at - (at % 2);
                  delivered.push(performance.now());
                  port.onmessage?.({
                    data: { type: "chunk", pcm: sound.slice(even, even + bytes) },
                  });
                }
              }, interval);
            });
        }
      }

      Object.assign(window, {
        AudioContext: Context,
        AnalyserNode: Analyser,
        AudioWorkletNode: Worklet,
      });
    },
    [path, tickMs, speed] as const,
  );
}
