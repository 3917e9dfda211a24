import { type HypothesisWord, openSpeechModel } from "#client/recognition/device/speech-model.ts";
import { type Detection, frameSamples } from "#client/recognition/device/speech-model-messages.ts";
import { openTranslationModel } from "#client/translation/device/translation-model.ts";
import { captureSampleRate } from "#shared/limits.ts";

export interface WindowResult {
  words: HypothesisWord[];
  ms: number;
}

export interface DetectedFrames {
  /** That somebody speaks, of each frame of 32 ms. */
  probabilities: number[];
  ms: number;
}

export interface Translations {
  texts: string[];
  loadMs: number;
  /** For each sentence. */
  sentenceMs: number[];
}

declare global {
  interface Window {
    deviceSpeech: {
      /** Opens the model whose files, with these paths, are below `folder`. Returns how long that took, ms. */
      open(folder: string, paths: readonly string[]): Promise<number>;
      /** Recognises a part of the sound that was fetched last; seconds from its start. */
      recognise(from: number, to: number): Promise<WindowResult>;
      /** Has the voice detector examine all whole frames of the sound that was fetched last. */
      detect(): Promise<DetectedFrames>;
      /** Begins with the whole sound and aborts that. Returns the name of the error. */
      abort(): Promise<string>;
      /** Fetches and decodes the sound at `url`. Returns its length in seconds. */
      fetchSound(url: string): Promise<number>;
      /** Opens the translation model whose files are below `folder`, translates sentences in turn, and closes it. */
      translate(
        folder: string,
        paths: readonly string[],
        sentences: readonly string[],
        target: string | null,
      ): Promise<Translations>;
      /** Tasks of the page's thread that took 50 ms or more since the last call. */
      takeLongTasks(): number;
    };
  }
}

async function fetchFiles(folder: string, paths: readonly string[]): Promise<Map<string, Blob>> {
  const fetchFile = async (path: string) => (await fetch(folder + path)).blob();
  const files = paths.map(async (path) => [path, await fetchFile(path)] as const);
  return new Map(await Promise.all(files));
}

let model: Awaited<ReturnType<typeof openSpeechModel>> | null = null;
let sound = new Float32Array();
const options = { language: "en", prompt: "", said: "", terms: [] } as const;
/** As many as the recogniser sends at once while it catches up. */
const framesPerCall = 128;
let longTasks = 0;
new PerformanceObserver((list) => {
  longTasks += list.getEntries().length;
}).observe({ type: "longtask" });

window.deviceSpeech = {
  async open(folder, paths) {
    const start = performance.now();
    model = await openSpeechModel(await fetchFiles(folder, paths));
    return performance.now() - start;
  },
  async recognise(from, to) {
    if (model === null) throw new Error("no model is open");
    const start = performance.now();
    const window = sound.subarray(
      Math.round(from * captureSampleRate),
      Math.round(to * captureSampleRate),
    );
    const words = await model.transcribe(window, options);
    return { words, ms: performance.now() - start };
  },
  async detect() {
    if (model === null) throw new Error("no model is open");
    const start = performance.now();
    const probabilities: number[] = [];
    let state: Detection["state"] | null = null;
    const length = sound.length - (sound.length % frameSamples);
    for (let at = 0; at < length; at += framesPerCall * frameSamples) {
      const frames = sound.subarray(at, Math.min(length, at + framesPerCall * frameSamples));
      const detection: Detection = await model.detectSpeech(frames, state);
      probabilities.push(...detection.probabilities);
      state = detection.state;
    }
    return { probabilities, ms: performance.now() - start };
  },
  async abort() {
    const abort = new AbortController();
    const recognising = model?.transcribe(sound, options, abort.signal);
    await new Promise(requestAnimationFrame);
    abort.abort();
    return recognising?.then(
      () => "none",
      (error) => error.name,
    );
  },
  async fetchSound(url) {
    const file = await (await fetch(url)).arrayBuffer();
    const decoded = await new OfflineAudioContext(1, 1, captureSampleRate).decodeAudioData(file);
    sound = decoded.getChannelData(0);
    return decoded.duration;
  },
  async translate(folder, paths, sentences, target) {
    let start = performance.now();
    const takeMs = () => {
      const ms = performance.now() - start;
      start += ms;
      return ms;
    };
    const translator = await openTranslationModel(await fetchFiles(folder, paths));
    const result: Translations = { texts: [], loadMs: takeMs(), sentenceMs: [] };
    for (const sentence of sentences) {
      result.texts.push(await translator.translate({ text: sentence, target }));
      result.sentenceMs.push(takeMs());
    }
    translator.dispose();
    return result;
  },
  takeLongTasks() {
    const count = longTasks;
    longTasks = 0;
    return count;
  },
};
document.body.dataset.ready = "yes";
