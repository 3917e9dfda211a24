import {
  type FromWorker,
  type ModelContents,
  type ModelPurpose,
  SpeechModelError,
  type ToWorker,
} from "./speech-model-messages.ts";

/** Runs a request, inside the worker. `beforeStep` is called before each token; when it rejects, that ends the request. */
export type LoadedModel<Input, Output> = (
  input: Input,
  beforeStep: () => Promise<void>,
) => Promise<Output>;

/** `onRead`: a file is being read. */
export type LoadModel = (
  purpose: ModelPurpose,
  contents: ModelContents,
  onRead: () => void,
) => Promise<LoadedModel<never, unknown>>;

/** The worker's own end of its channel to the page. */
export interface PagePort {
  postMessage(message: FromWorker): void;
  onmessage: ((event: { data: ToWorker }) => void) | null;
}

const aliveMs = 1_000;

/** Answers the page's messages: loads the model with `load`, runs requests in their order. */
export function serveSpeechModel(port: PagePort, load: LoadModel): void {
  let model: ReturnType<LoadModel> | null = null;
  let queue: Promise<void> = Promise.resolve();
  /** Requests that wait or are being run. */
  const waiting = new Set<number>();
  let aliveAt = performance.now();

  const reportAlive = () => port.postMessage({ type: "alive" });
  const fail = (id: number | null, error: unknown) => {
    const { code, message } = toSpeechModelError(error);
    port.postMessage({ type: "failure", id, code, text: message });
  };

  async function open({ purpose, contents }: ToWorker & { type: "open" }) {
    try {
      model = load(purpose, contents, reportAlive);
      await model;
      port.postMessage({ type: "ready" });
    } catch (error) {
      fail(null, error);
    }
  }

  async function run({ id, input }: ToWorker & { type: "run" }) {
    const beforeStep = async () => {
      const now = performance.now();
      if (now - aliveAt >= aliveMs) {
        aliveAt = now;
        reportAlive();
      }
      await receiveMessages();
      if (!waiting.has(id)) throw new DOMException("The request was aborted", "AbortError");
    };
    try {
      await beforeStep();
      if (model === null) throw new SpeechModelError("failed", "No model is open");
      const output = await (await model)(input as never, beforeStep);
      if (waiting.has(id)) port.postMessage({ type: "result", id, output });
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
      case "run":
        waiting.add(data.id);
        queue = queue.then(() => run(data));
        return;
      case "abort":
        waiting.delete(data.id);
    }
  };
  // The page can tell a worker that was never loaded from one that failed.
  reportAlive();
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
