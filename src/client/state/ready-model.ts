import { browserClock, onWake, Timer } from "#client/lib/clock.ts";
import {
  modelDownloads,
  selectSpeechModel,
  speechModelChoice,
  speechModels,
} from "./device-models.ts";
import { findSpeechEngine, speechChoice } from "./engines.ts";
import { getStoredSourceLanguage } from "./preferences.ts";
import { recordingSession } from "./recording.ts";
import { closeUnusedModel, openModelId, prepareSpeechModel } from "./speech-model.ts";

/** Has the speech model ready before Record, because loading and measuring it takes seconds. Loaded after the first paint. */

/** A model that would not recognise next, and that nothing has called for so long, is closed. */
const unusedMs = 5 * 60_000;

let isKept = false;

/**
 * From now on the model that would recognise is open while the page is in view, and a model that this tab downloads is
 * measured. To be called when the browser is idle; a second call has no effect.
 */
export function keepModelReady(): void {
  if (isKept) return;
  isKept = true;
  const prepare = () => void prepareNext();
  for (const choice of [speechChoice, speechModelChoice]) choice.subscribe(prepare);
  onWake(prepare);
  followLanguage(prepare);
  followDownloads((id) => void prepareSpeechModel(id).then(prepare));
  closeWhenUnused();
  void modelDownloads.refresh().then(prepare);
}

function closeWhenUnused(): void {
  const timer = new Timer(browserClock);
  const wait = () => {
    if (openModelId.get() === null) timer.cancel();
    else timer.start(unusedMs, () => void closeUnused().then(wait));
  };
  openModelId.subscribe(wait);
  wait();
}

const closeUnused = async () => closeUnusedModel(unusedMs, await findNextId());

async function prepareNext(): Promise<void> {
  const id = await findNextId();
  if (id !== null) await prepareSpeechModel(id);
}

/** The stored model that the next recording uses; null: none, or the page is not in view. */
async function findNextId(): Promise<string | null> {
  if (document.visibilityState === "hidden" || (await findSpeechEngine()) !== "device") return null;
  const language = getLanguage();
  if (language === "detect") return null;
  return selectSpeechModel(undefined, undefined, language)?.id ?? null;
}

const getLanguage = () =>
  recordingSession.get()?.view.get().sourceLanguage ?? getStoredSourceLanguage();

/** Calls `onChange` when another language will be spoken. */
function followLanguage(onChange: () => void): void {
  let language = getLanguage();
  let stop = () => {};
  const compare = () => {
    if (getLanguage() === language) return;
    language = getLanguage();
    onChange();
  };
  const follow = () => {
    stop();
    stop = recordingSession.get()?.view.subscribe(compare) ?? (() => {});
    compare();
  };
  recordingSession.subscribe(follow);
  follow();
}

/** Calls `onStored` with the id of each speech model that this tab has downloaded. */
function followDownloads(onStored: (id: string) => void): void {
  const { states } = modelDownloads;
  let before = states.get();
  states.subscribe(() => {
    for (const { id } of speechModels) {
      const was = before.get(id);
      const isDownload = was?.status === "downloading" && was.isHere;
      if (isDownload && states.get().get(id)?.status === "stored") onStored(id);
    }
    before = states.get();
  });
}
