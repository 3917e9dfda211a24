import { browserClock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import type { SpeechModel } from "#client/recognition/device/speech-model.ts";
import { SpeechModelError } from "#client/recognition/device/speech-model-messages.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { recordingSession } from "./recording.ts";

/** The speech model of this device that is open. Its code and its files are loaded with the first use. */

/**
 * How fast this device recognises with the open model. Null before that was measured, and once the person has seen it.
 * `isSmallest`: no other model is faster.
 */
export const modelSpeed = new Signal<{ isTooSlow: boolean; isSmallest: boolean } | null>(null);

interface OpenModel {
  readonly id: string;
  readonly model: Promise<SpeechModel>;
  /** What `model` has become. */
  loaded: SpeechModel | null;
  /** Calls that have not ended. */
  callCount: number;
  /** When the last one ended. */
  usedAt: number;
}

let open: OpenModel | null = null;
/** Null while no model is in memory, or on the way there. */
export const openModelId = new Signal<string | null>(null);

function setOpen(next: OpenModel | null): void {
  open = next;
  openModelId.set(next?.id ?? null);
}

/** A recording calls its model several times a second. */
const callsWithinMs = 10_000;
/** Aborts when a recogniser needs the model that is being measured again. */
let preparing: AbortController | null = null;
/** Languages for which no model was stored. */
const waiting = new Set<SpokenLanguage>();

/**
 * The chosen model or another one that knows `language`, ready. `failed`: one from here that does not work any more; it is
 * loaded again. What was opened since, such as the first model after its download, is not.
 *
 * @throws SpeechModelError
 */
export async function openSpeechModel(
  failed: SpeechModel | null,
  language: SpokenLanguage,
): Promise<SpeechModel> {
  const { findSpeechModel, selectSpeechModel } = await import("./device-models.ts");
  const id = (await findSpeechModel(language))?.id;
  if (id === undefined) {
    void wakeWhenStored(language);
    throw selectSpeechModel() === null
      ? new SpeechModelError("missing", "No speech model is stored")
      : new SpeechModelError("language", `No stored speech model knows ${language}`);
  }
  if (failed !== null && open?.loaded === failed) close();
  preparing?.abort();
  return openStored(id);
}

/**
 * Opens a stored model before it is needed, and measures it, which compiles its code. Without effect while another one is
 * in use. Never rejects: who needs the model finds out what is wrong with it.
 */
export async function prepareSpeechModel(id: string): Promise<void> {
  const { windowTimes } = await import("./model-speeds.ts");
  if (open?.id === id || isUsedWithin(callsWithinMs)) return;
  preparing = new AbortController();
  const { signal } = preparing;
  try {
    const wasMeasured = windowTimes.get().has(id);
    const model = await openStored(id);
    if (wasMeasured && !signal.aborted) await measure(id, model, signal);
  } catch (error) {
    if (!signal.aborted) console.warn("the speech model could not be prepared", error);
  }
}

/** Frees the memory of the open model, unless it has the id `wantedId` or was used within `ms`. */
export function closeUnusedModel(ms: number, wantedId: string | null): void {
  if (open?.id !== wantedId && !isUsedWithin(ms)) close();
}

const isUsedWithin = (ms: number): boolean =>
  open !== null && (open.callCount > 0 || browserClock.now() - open.usedAt < ms);

function close(): void {
  void open?.model.then((model) => model.dispose()).catch(() => {});
  setOpen(null);
}

async function openStored(id: string): Promise<SpeechModel> {
  if (open?.id !== id) close();
  const opening = open ?? createOpenModel(id);
  setOpen(opening);
  try {
    const model = await opening.model;
    opening.loaded = model;
    return model;
  } catch (error) {
    // Another one may have taken its place.
    if (open === opening) setOpen(null);
    throw error;
  }
}

function createOpenModel(id: string): OpenModel {
  const use = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    created.callCount += 1;
    try {
      return await call();
    } finally {
      created.callCount -= 1;
      created.usedAt = browserClock.now();
    }
  };
  const model = load(id).then(
    (loaded): SpeechModel => ({
      transcribe: (...args) => use(() => loaded.transcribe(...args)),
      detectSpeech: (...args) => use(() => loaded.detectSpeech(...args)),
      dispose: () => loaded.dispose(),
    }),
  );
  const created: OpenModel = { id, model, loaded: null, callCount: 0, usedAt: 0 };
  return created;
}

async function load(id: string): Promise<SpeechModel> {
  const { openSpeechModel: openModel } = await import("#client/recognition/device/speech-model.ts");
  const { modelStore } = await import("./device-models.ts");
  const contents = await modelStore.readFiles(id);
  if (contents === null) throw new SpeechModelError("missing", `${id} is not stored`);
  const model = await openModel(contents);
  try {
    const { windowTimes } = await import("./model-speeds.ts");
    const windowMs = windowTimes.get().get(id);
    if (windowMs === undefined) await measure(id, model);
    else await reportSpeed(id, windowMs);
  } catch (error) {
    // Its memory is needed by the one that is opened in its place.
    model.dispose();
    throw error;
  }
  return model;
}

/** What it says is no condition: a slow device recognises late, and loses nothing. @throws as `measureWindow` does */
async function measure(id: string, model: SpeechModel, signal?: AbortSignal): Promise<void> {
  const { measureWindow } = await import("#client/recognition/device/speed.ts");
  const { keepWindowTime } = await import("./model-speeds.ts");
  const windowMs = await measureWindow(model, browserClock, signal);
  keepWindowTime(id, windowMs);
  await reportSpeed(id, windowMs);
}

async function reportSpeed(id: string, windowMs: number): Promise<void> {
  const { getModelSpeed } = await import("#client/recognition/device/speed.ts");
  const { speechModels } = await import("./device-models.ts");
  const isTooSlow = getModelSpeed(windowMs) === "tooSlow";
  modelSpeed.set({ isTooSlow, isSmallest: speechModels[0]?.id === id });
}

/** What was recorded meanwhile is recognised as soon as a model is there. */
async function wakeWhenStored(language: SpokenLanguage): Promise<void> {
  if (waiting.has(language)) return;
  waiting.add(language);
  const { modelDownloads, selectSpeechModel } = await import("./device-models.ts");
  const stop = modelDownloads.states.subscribe(() => {
    if (selectSpeechModel(undefined, undefined, language) === null) return;
    stop();
    waiting.delete(language);
    recordingSession.get()?.wake();
  });
}
