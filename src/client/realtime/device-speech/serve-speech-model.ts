import type { ModelDescription } from "./model-description.ts";
import {
  type FromWorker,
  type HypothesisWord,
  type SpeechDevice,
  SpeechModelError,
  type ToWorker,
} from "./speech-model-messages.ts";

/** A loaded model, inside the worker. */
export interface LoadedModel {
  readonly device: SpeechDevice;
  /** @param beforeStep called before each token; when it rejects, recognition ends with its reason. */
  transcribe(
    samples: Float32Array,
    options: { language: string; prompt: string },
    beforeStep: () => Promise<void>,
  ): Promise<HypothesisWord[]>;
}

export type LoadModel = (
  model: ModelDescription,
  contents: ReadonlyMap<string, Blob>,
  onProgress: (share: number) => void,
) => Promise<LoadedModel>;

/** The worker's own end of its channel to the page. */
export interface PagePort {
  postMessage(message: FromWorker): void;
  onmessage: ((event: { data: ToWorker }) => void) | null;
}

const aliveMs = 1_000;

/** Answers the page's messages: loads the model with `load`, recognises windows in their order. */
export function serveSpeechModel(
  port: PagePort,
  load: LoadModel,
  now: () => number = () => performance.now(),
): void {
  let model: Promise<LoadedModel> | null = null;
  let queue: Promise<void> = Promise.resolve();
  /** Windows that wait or are being recognised. */
  const waiting = new Set<number>();
  let aliveAt = now();

  const fail = (id: number | null, error: unknown) => {
    const { code, message } = toSpeechModelError(error);
    port.postMessage({ type: "failure", id, code, text: message });
  };

  async function open({ model: description, contents }: ToWorker & { type: "open" }) {
    try {
      model = load(description, contents, (share) => port.postMessage({ type: "progress", share }));
      const { device } = await model;
      port.postMessage({ type: "ready", device });
    } catch (error) {
      fail(null, error);
    }
  }

  async function transcribe({ id, samples, ...options }: ToWorker & { type: "transcribe" }) {
    const beforeStep = async () => {
      if (now() - aliveAt >= aliveMs) {
        aliveAt = now();
        port.postMessage({ type: "alive" });
      }
      await receiveMessages();
      if (!waiting.has(id)) throw new DOMException("The window was aborted", "AbortError");
    };
    try {
      await beforeStep();
      if (model === null) throw new SpeechModelError("failed", "No model is open");
      const words = await (await model).transcribe(samples, options, beforeStep);
      if (waiting.has(id)) port.postMessage({ type: "words", id, words });
    } catch (error) {
      if (waiting.has(id)) fail(id, error);
    } finally {
      waiting.delete(id);
    }
  }

  port.onmessage = ({ data }) => {
    switch (data.type) {
      case "open":
        void open(data);
        return;
      case "transcribe":
        waiting.add(data.id);
        queue = queue.then(() => transcribe(data));
        return;
      case "abort":
        waiting.delete(data.id);
    }
  };
  // The page can tell a worker that was never loaded from one that failed.
  port.postMessage({ type: "alive" });
}

/** Lets messages in that have arrived meanwhile. A timer would wait for 4 ms. */
function receiveMessages(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port2.onmessage = () => {
      port1.close();
      resolve();
    };
    port1.postMessage(null);
  });
}

function toSpeechModelError(error: unknown): SpeechModelError {
  if (error instanceof SpeechModelError) return error;
  const text = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new SpeechModelError(isOutOfMemory(text) ? "memory" : "failed", text);
}

/** Engines and the runtime have different words for it. */
export const isOutOfMemory = (text: string) =>
  /out of memory|bad_alloc|allocation failed|could not allocate|memory access out of bounds/i.test(
    text,
  );
