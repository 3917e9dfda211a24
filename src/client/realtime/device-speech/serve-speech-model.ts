import type { ModelDescription } from "./model-description.ts";
import {
  type FromWorker,
  type HypothesisWord,
  type ModelPurpose,
  type SpeechDevice,
  SpeechModelError,
  type ToWorker,
} from "./speech-model-messages.ts";

/** A loaded speech model, inside the worker. */
export interface LoadedModel {
  readonly device: SpeechDevice;
  /** @param beforeStep called before each token; when it rejects, recognition ends with its reason. */
  transcribe(
    samples: Float32Array,
    options: { language: string; prompt: string; terms: readonly string[] },
    beforeStep: () => Promise<void>,
  ): Promise<HypothesisWord[]>;
}

/** A loaded translation model, inside the worker. */
export interface LoadedTranslationModel {
  readonly device: SpeechDevice;
  /** @param beforeStep as that of `LoadedModel`. */
  translate(text: string, target: string | null, beforeStep: () => Promise<void>): Promise<string>;
}

export type LoadModel = (
  model: ModelDescription,
  contents: ReadonlyMap<string, Blob>,
  onProgress: (share: number) => void,
  purpose: ModelPurpose,
) => Promise<LoadedModel | LoadedTranslationModel>;

type Request = Extract<ToWorker, { type: "transcribe" | "translate" }>;

/** The worker's own end of its channel to the page. */
export interface PagePort {
  postMessage(message: FromWorker): void;
  onmessage: ((event: { data: ToWorker }) => void) | null;
}

const aliveMs = 1_000;

/** Answers the page's messages: loads the model with `load`, runs requests in their order. */
export function serveSpeechModel(
  port: PagePort,
  load: LoadModel,
  now: () => number = () => performance.now(),
): void {
  let model: ReturnType<LoadModel> | null = null;
  let queue: Promise<void> = Promise.resolve();
  /** Requests that wait or are being run. */
  const waiting = new Set<number>();
  let aliveAt = now();

  const fail = (id: number | null, error: unknown) => {
    const { code, message } = toSpeechModelError(error);
    port.postMessage({ type: "failure", id, code, text: message });
  };

  async function open({ model: description, contents, purpose }: ToWorker & { type: "open" }) {
    try {
      const onProgress = (share: number) => port.postMessage({ type: "progress", share });
      model = load(description, contents, onProgress, purpose);
      const { device } = await model;
      port.postMessage({ type: "ready", device });
    } catch (error) {
      fail(null, error);
    }
  }

  async function run(request: Request) {
    const { id } = request;
    const beforeStep = async () => {
      if (now() - aliveAt >= aliveMs) {
        aliveAt = now();
        port.postMessage({ type: "alive" });
      }
      await receiveMessages();
      if (!waiting.has(id)) throw new DOMException("The request was aborted", "AbortError");
    };
    try {
      await beforeStep();
      if (model === null) throw new SpeechModelError("failed", "No model is open");
      const result = await runModel(await model, request, beforeStep);
      if (waiting.has(id)) port.postMessage(result);
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
      case "translate":
        waiting.add(data.id);
        queue = queue.then(() => run(data));
        return;
      case "abort":
        waiting.delete(data.id);
    }
  };
  // The page can tell a worker that was never loaded from one that failed.
  port.postMessage({ type: "alive" });
}

async function runModel(
  model: LoadedModel | LoadedTranslationModel,
  request: Request,
  beforeStep: () => Promise<void>,
): Promise<FromWorker> {
  const { id } = request;
  if (request.type === "transcribe" && "transcribe" in model) {
    const { samples, language, prompt, terms } = request;
    const words = await model.transcribe(samples, { language, prompt, terms }, beforeStep);
    return { type: "words", id, words };
  }
  if (request.type === "translate" && "translate" in model) {
    const text = await model.translate(request.text, request.target, beforeStep);
    return { type: "translation", id, text };
  }
  throw new SpeechModelError("failed", "The open model has another purpose");
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
