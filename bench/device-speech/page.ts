import type {
  ModelDescription,
  ModelFiles,
} from "#client/realtime/device-speech/model-description.ts";
import {
  type HypothesisWord,
  openSpeechModel,
} from "#client/realtime/device-speech/speech-model.ts";
import { openTranslationModel } from "#client/realtime/device-translation/translation-model.ts";
import { captureSampleRate } from "#shared/limits.ts";

export interface Opening {
  device: string;
  loadMs: number;
}

export interface WindowResult {
  words: HypothesisWord[];
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
      /** Opens the model whose files are below `folder`. */
      open(folder: string, model: ModelDescription): Promise<Opening>;
      /** Recognises a part of the sound that was fetched last; seconds from its start. */
      recognise(from: number, to: number): Promise<WindowResult>;
      /** Begins with the whole sound and aborts that. Returns the name of the error. */
      abort(): Promise<string>;
      /** Fetches and decodes the sound at `url`. Returns its length in seconds. */
      fetchSound(url: string): Promise<number>;
      /** Opens the translation model whose files are below `folder`, translates sentences in turn, and closes it. */
      translate(
        folder: string,
        model: ModelDescription,
        sentences: readonly string[],
        target: string | null,
      ): Promise<Translations>;
      /** Tasks of the page's thread that took 50 ms or more since the last call. */
      takeLongTasks(): number;
    };
  }
}

const openFolder = (folder: string): ModelFiles => ({
  async read(path) {
    const response = await fetch(folder + path);
    return response.ok ? response.blob() : null;
  },
});

let model: Awaited<ReturnType<typeof openSpeechModel>> | null = null;
let sound = new Float32Array();
let longTasks = 0;
new PerformanceObserver((list) => {
  longTasks += list.getEntries().length;
}).observe({ type: "longtask" });

window.deviceSpeech = {
  async open(folder, description) {
    const start = performance.now();
    model = await openSpeechModel(openFolder(folder), description);
    return { device: model.device, loadMs: performance.now() - start };
  },
  async recognise(from, to) {
    if (model === null) throw new Error("no model is open");
    const start = performance.now();
    const window = sound.subarray(
      Math.round(from * captureSampleRate),
      Math.round(to * captureSampleRate),
    );
    const words = await model.transcribe(window, { language: "en" });
    return { words, ms: performance.now() - start };
  },
  async abort() {
    const abort = new AbortController();
    const recognising = model?.transcribe(sound, { language: "en" }, abort.signal);
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
  async translate(folder, description, sentences, target) {
    let start = performance.now();
    const takeMs = () => {
      const ms = performance.now() - start;
      start += ms;
      return ms;
    };
    const translator = await openTranslationModel(openFolder(folder), description);
    const result: Translations = { texts: [], loadMs: takeMs(), sentenceMs: [] };
    for (const sentence of sentences) {
      result.texts.push(await translator.translate(sentence, target));
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
