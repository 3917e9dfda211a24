import { describe, expect, it, vi } from "vitest";
import type { ModelWorker, OpenOptions } from "#client/recognition/device/model-worker-client.ts";
import {
  type LoadedModel,
  type LoadModel,
  type PagePort,
  serveSpeechModel,
} from "#client/recognition/device/serve-speech-model.ts";
import { type HypothesisWord, openSpeechModel } from "#client/recognition/device/speech-model.ts";
import {
  type DetectionRequest,
  type FromWorker,
  SpeechModelError,
  type SpeechRequest,
  type ToWorker,
  type TranslationRequest,
} from "#client/recognition/device/speech-model-messages.ts";
import { openTranslationModel } from "#client/translation/device/translation-model.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";
import { ManualClock } from "#tests/unit/client/recorder/kit/manual-clock.ts";

const contents = new Map([["config.json", new Blob(["{}"])]]);
const original = { language: "en", prompt: "", said: "", terms: [] } as const;

/** A worker in this thread. Messages are copied, and arrive later, as those of a worker do. */
class LocalWorker implements ModelWorker {
  onmessage: ModelWorker["onmessage"] = null;
  onerror: ModelWorker["onerror"] = null;
  isRunning = true;
  readonly received: ToWorker[] = [];
  readonly #port: PagePort = {
    onmessage: null,
    postMessage: (message) => this.#deliver(message, (data) => this.onmessage?.({ data })),
  };

  constructor(load: LoadModel | null) {
    if (load !== null) serveSpeechModel(this.#port, load);
  }

  postMessage(message: ToWorker, transfer: Transferable[]): void {
    if (!this.isRunning) return;
    this.received.push(message);
    this.#deliver(message, (data) => this.#port.onmessage?.({ data }), transfer);
  }

  terminate(): void {
    this.isRunning = false;
  }

  #deliver<Message extends ToWorker | FromWorker>(
    message: Message,
    receive: (copy: Message) => void,
    transfer: Transferable[] = [],
  ): void {
    // Blobs are shared, as between a page and its worker.
    const copy = message.type === "open" ? message : structuredClone(message, { transfer });
    setImmediate(() => {
      if (this.isRunning) receive(copy);
    });
  }
}

const word = (text: string): HypothesisWord => ({ text, startMs: 0, endMs: 100 });

/** Recognises a window as its length and first sample, in `steps` steps. */
function createModel(steps = 1) {
  const model = {
    steps: 0,
    running: 0,
    run: vi.fn<LoadedModel<SpeechRequest, HypothesisWord[]>>(async (request, beforeStep) => {
      expect(++model.running).toBe(1);
      try {
        for (let step = 0; step < steps; step++) {
          await beforeStep();
          model.steps++;
        }
      } finally {
        model.running--;
      }
      const { samples, prompt } = request;
      return [word(`${samples.length}:${samples[0]}:${prompt}`)];
    }),
  };
  return model;
}

async function open({ run }: ReturnType<typeof createModel>, options: OpenOptions = {}) {
  const worker = new LocalWorker(async () => run);
  const model = await openSpeechModel(contents, { createWorker: () => worker, ...options });
  return { model, worker };
}

/** Lets the messages that are under way arrive, and their answers. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}

describe("opening a model", () => {
  /** Opens a model that `load` loads; null: the worker's program does not come. */
  function openWith(load: LoadModel | null, clock = new ManualClock()) {
    const worker = new LocalWorker(load);
    return { worker, opening: openSpeechModel(contents, { clock, createWorker: () => worker }) };
  }

  it("gives the worker the stored files", async () => {
    const load = vi.fn<LoadModel>(async () => createModel().run);
    await openWith(load).opening;
    expect(load).toHaveBeenCalledExactlyOnceWith("speech", contents, expect.any(Function));
  });

  it("waits as long as files are read", async () => {
    const clock = new ManualClock();
    const ready = Promise.withResolvers<void>();
    const read: (() => void)[] = [];
    const { opening } = openWith(async (_purpose, _contents, onRead) => {
      read.push(onRead);
      await ready.promise;
      return createModel().run;
    }, clock);
    await settle();
    for (let minute = 0; minute < 5; minute++) {
      read[0]?.();
      await settle();
      await clock.advance(90_000);
    }
    ready.resolve();
    expect(await opening).toBeTruthy();
  });

  it("says why the worker could not load it, and ends the worker", async () => {
    const { worker, opening } = openWith(async () => {
      throw new SpeechModelError("unsupported", "no SIMD");
    });
    await expect(opening).rejects.toMatchObject({ code: "unsupported", message: "no SIMD" });
    expect(worker.isRunning).toBe(false);
  });

  it.each([
    ["its script was not loaded", null, "program"],
    ["it fails later", () => new Promise<never>(() => {}), "failed"],
  ])("says that the worker ended: %s", async (_name, load, code) => {
    const { worker, opening } = openWith(load);
    const outcome = expect(opening).rejects.toMatchObject({ code });
    await settle();
    worker.onerror?.({ message: "" });
    await outcome;
    expect(worker.isRunning).toBe(false);
  });
});

describe("recognising a window", () => {
  it("gives the words, and leaves the window to its owner", async () => {
    const { model } = await open(createModel());
    const window = Float32Array.of(0.5, 0, 0);
    expect(await model.transcribe(window, { ...original, prompt: "before" })).toEqual([
      word("3:0.5:before"),
    ]);
    expect(window).toEqual(Float32Array.of(0.5, 0, 0));
  });

  it("recognises windows one after the other", async () => {
    const { model } = await open(createModel(3));
    const results = [1, 2, 3].map((length) => model.transcribe(new Float32Array(length), original));
    expect((await Promise.all(results)).flat().map(({ text }) => text)).toEqual([
      "1:0:",
      "2:0:",
      "3:0:",
    ]);
  });

  it("ends one in the middle when it is aborted, and goes on with the next", async () => {
    const loaded = createModel(1_000_000);
    const { model } = await open(loaded);
    const abort = new AbortController();
    const reason = new Error("Stop was pressed");
    const first = model.transcribe(new Float32Array(1), original, abort.signal);
    const outcome = expect(first).rejects.toBe(reason);
    await waitFor(() => expect(loaded.steps).toBeGreaterThan(2));
    abort.abort(reason);
    await outcome;
    await waitFor(() => expect(loaded.running).toBe(0));
    expect(loaded.steps).toBeLessThan(1_000_000);
    loaded.run.mockResolvedValueOnce([word("next")]);
    expect(await model.transcribe(new Float32Array(2), original)).toEqual([word("next")]);
  });

  it("does not begin one that was aborted while it waited", async () => {
    const loaded = createModel(5);
    const { model } = await open(loaded);
    const abort = new AbortController();
    const first = model.transcribe(new Float32Array(1), original);
    const second = model.transcribe(new Float32Array(2), original, abort.signal);
    const third = model.transcribe(new Float32Array(3), original);
    const outcome = expect(second).rejects.toThrow("This operation was aborted");
    abort.abort();
    await outcome;
    expect(await first).toEqual([word("1:0:")]);
    expect(await third).toEqual([word("3:0:")]);
    expect(loaded.run.mock.calls.map(([{ samples }]) => samples.length)).toEqual([1, 3]);
  });

  it("sends nothing for a signal that was aborted before", async () => {
    const { model, worker } = await open(createModel());
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(model.transcribe(new Float32Array(1), original, signal)).rejects.toThrow(
      "too late",
    );
    expect(worker.received).toHaveLength(1);
  });

  it.each([
    ["RangeError: Array buffer allocation failed", "memory"],
    ["std::bad_alloc", "memory"],
    ["invalid input", "failed"],
  ])("says why one failed: %s", async (text, code) => {
    const loaded = createModel();
    const { model } = await open(loaded);
    loaded.run.mockRejectedValueOnce(new Error(text));
    await expect(model.transcribe(new Float32Array(1), original)).rejects.toMatchObject({ code });
    expect(await model.transcribe(new Float32Array(1), original)).toHaveLength(1);
  });
});

describe("detecting speech", () => {
  const state = { memory: Float32Array.of(1), context: Float32Array.of(2) };

  /** A worker whose detector answers with what it was given. */
  async function openDetector() {
    const run = vi.fn(async (request: SpeechRequest | DetectionRequest) => {
      if (!("state" in request)) return [word("a window")];
      const { samples, state } = request;
      return { probabilities: [...samples], state: state ?? { memory: samples, context: samples } };
    });
    const worker = new LocalWorker(async () => run);
    const model = await openSpeechModel(contents, { createWorker: () => worker });
    return { model, run };
  }

  it("gives each frame's probability and the state behind it, and leaves the sound to its owner", async () => {
    const { model } = await openDetector();
    const sound = Float32Array.of(0.25, 0.5);
    expect(await model.detectSpeech(sound, null)).toEqual({
      probabilities: [0.25, 0.5],
      state: { memory: sound, context: sound },
    });
    expect(await model.detectSpeech(sound, state)).toEqual({ probabilities: [0.25, 0.5], state });
    expect(sound).toEqual(Float32Array.of(0.25, 0.5));
    expect(state.memory).toEqual(Float32Array.of(1));
  });

  it("waits for the window that is being recognised", async () => {
    const { model, run } = await openDetector();
    const order: string[] = [];
    await Promise.all([
      model.transcribe(new Float32Array(3), original).then(() => order.push("window")),
      model.detectSpeech(new Float32Array(2), state).then(() => order.push("frames")),
    ]);
    expect(order).toEqual(["window", "frames"]);
    expect(run.mock.calls.map(([{ samples }]) => samples.length)).toEqual([3, 2]);
  });

  it("does not begin what was aborted while it waited", async () => {
    const { model, run } = await openDetector();
    const abort = new AbortController();
    const window = model.transcribe(new Float32Array(3), original);
    const detecting = model.detectSpeech(new Float32Array(2), state, abort.signal);
    const outcome = expect(detecting).rejects.toThrow("Stop was pressed");
    abort.abort(new Error("Stop was pressed"));
    await outcome;
    await window;
    await settle();
    expect(run).toHaveBeenCalledOnce();
  });
});

describe("an open model", () => {
  it("rejects what it works on when it is disposed of, and everything after", async () => {
    const { model, worker } = await open(createModel(1_000_000));
    const running = model.transcribe(new Float32Array(1), original);
    const outcome = expect(running).rejects.toMatchObject({ name: "AbortError" });
    await settle();
    model.dispose();
    await outcome;
    expect(worker.isRunning).toBe(false);
    await expect(model.transcribe(new Float32Array(1), original)).rejects.toMatchObject({
      name: "AbortError",
    });
  });

  it("rejects what it works on when its worker ends, and everything after", async () => {
    const { model, worker } = await open(createModel(1_000_000));
    const running = model.transcribe(new Float32Array(1), original);
    const outcome = expect(running).rejects.toMatchObject({ code: "failed", message: "crashed" });
    await settle();
    worker.onerror?.({ message: "crashed" });
    await outcome;
    await expect(model.transcribe(new Float32Array(1), original)).rejects.toThrow("crashed");
  });

  it("has failed when its worker says nothing for two minutes", async () => {
    const clock = new ManualClock();
    const loaded = createModel();
    const { model, worker } = await open(loaded, { clock });
    loaded.run.mockReturnValueOnce(new Promise(() => {}));
    const running = model.transcribe(new Float32Array(1), original);
    const outcome = expect(running).rejects.toMatchObject({ code: "failed" });
    await clock.advance(119_000);
    expect(worker.isRunning).toBe(true);
    await clock.advance(1_000);
    await outcome;
    expect(worker.isRunning).toBe(false);
  });

  it("waits as long as its worker shows that it works", async () => {
    const clock = new ManualClock();
    const loaded = createModel();
    const { model, worker } = await open(loaded, { clock });
    const result = Promise.withResolvers<HypothesisWord[]>();
    loaded.run.mockReturnValueOnce(result.promise);
    const running = model.transcribe(new Float32Array(1), original);
    for (let minute = 0; minute < 5; minute++) {
      worker.onmessage?.({ data: { type: "alive" } });
      await clock.advance(90_000);
    }
    result.resolve([word("late")]);
    expect(await running).toEqual([word("late")]);
    expect(worker.isRunning).toBe(true);
  });

  it("waits for nothing while it has nothing to do", async () => {
    const clock = new ManualClock();
    const { model, worker } = await open(createModel(), { clock });
    await model.transcribe(new Float32Array(1), original);
    expect(clock.timers).toBe(0);
    await clock.advance(3_600_000);
    expect(worker.isRunning).toBe(true);
  });
});

describe("a translation model", () => {
  it("translates requests in their order, says which one has failed, and is open until it is disposed of", async () => {
    const translate = async ({ text, target }: TranslationRequest) => {
      if (text === "endless") throw new SpeechModelError("failed", "does not end");
      return `${target} ${text}`;
    };
    const worker = new LocalWorker(async () => translate);
    const model = await openTranslationModel(contents, { createWorker: () => worker });
    const results = await Promise.allSettled([
      model.translate({ text: "one", target: "zh" }),
      model.translate({ text: "endless", target: null }),
      model.translate({ text: "two", target: null }),
    ]);
    expect(results).toMatchObject([
      { value: "zh one" },
      { reason: { code: "failed" } },
      { value: "null two" },
    ]);
    expect(model.isOpen()).toBe(true);
    model.dispose();
    expect([worker.isRunning, model.isOpen()]).toEqual([false, false]);
  });
});
