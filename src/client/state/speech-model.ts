import { browserClock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import { safeStorage } from "#client/lib/storage.ts";
import type { SpeechModel } from "#client/realtime/device-speech/speech-model.ts";
import { SpeechModelError } from "#client/realtime/device-speech/speech-model-messages.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { recordingSession } from "./recording.ts";

/** The speech model of this device that is open. Its code and its files are loaded with the first use. */

/**
 * How fast this device recognises with the open model; see `isTooSlow`. Null before that was measured, and once the
 * person has seen it. `isSmallest`: no other model is faster.
 */
export const modelSpeed = new Signal<{ isTooSlow: boolean; isSmallest: boolean } | null>(null);

let open: { id: string; model: Promise<SpeechModel> } | null = null;
/** Languages for which no model was stored. */
const waiting = new Set<SpokenLanguage>();

/** The chosen model or another one that knows `language`, ready. `hasFailed`: the one before has. @throws SpeechModelError */
export async function openSpeechModel(
  hasFailed: boolean,
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
  if (open !== null && (hasFailed || open.id !== id)) {
    void open.model.then((model) => model.dispose()).catch(() => {});
    open = null;
  }
  open ??= { id, model: load(id) };
  const opening = open;
  try {
    return await opening.model;
  } catch (error) {
    // Another one may have taken its place.
    if (open === opening) open = null;
    throw error;
  }
}

async function load(id: string): Promise<SpeechModel> {
  const { openSpeechModel: openModel } = await import(
    "#client/realtime/device-speech/speech-model.ts"
  );
  const { modelStore } = await import("./device-models.ts");
  const contents = await modelStore.readFiles(id);
  if (contents === null) throw new SpeechModelError("missing", `${id} is not stored`);
  const model = await openModel(contents);
  try {
    await measure(id, model);
  } catch (error) {
    // Its memory is needed by the one that is opened in its place.
    model.dispose();
    throw error;
  }
  return model;
}

/** Once on each device. What it says is no condition: a slow device recognises late, and loses nothing. */
async function measure(id: string, model: SpeechModel): Promise<void> {
  const key = `speechModelSpeed:${id}`;
  const known = safeStorage.get(key);
  const { speechModels } = await import("./device-models.ts");
  const isSmallest = speechModels[0]?.id === id;
  if (known === null) {
    const speed = await import("#client/realtime/device-speech/speed.ts");
    const isTooSlow = await speed.isTooSlow(model, browserClock);
    safeStorage.set(key, isTooSlow ? "slow" : "fast");
    modelSpeed.set({ isTooSlow, isSmallest });
  } else modelSpeed.set({ isTooSlow: known === "slow", isSmallest });
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
