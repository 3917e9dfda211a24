import { createFetchWithIdleTimeout } from "#client/lib/fetch.ts";
import { deviceModels } from "#client/models/device-models.ts";
import { ModelDownloads, type ModelState } from "#client/models/model-downloads.ts";
import { type DeviceModel, parseModelUrl } from "#client/models/model-source.ts";
import { ModelStore } from "#client/models/model-store.ts";
import type { SpokenLanguage } from "#shared/languages.ts";
import { createStoredChoice } from "./preferences.ts";

/**
 * The models on this device: what is stored of each, their downloads, and which one recognises speech. They are
 * nobody's data: signing out leaves them. Loaded late.
 */

/** A server that sends nothing for so long has gone. */
const idleMs = 30_000;

/** Inserted by the build (`build/model-source.ts`), which puts the same origin into the Content-Security-Policy. */
declare const SPEECH_MODEL_URL: string;

const source = parseModelUrl(
  typeof SPEECH_MODEL_URL === "undefined" ? undefined : SPEECH_MODEL_URL,
);

/** The host that a download asks, for the person; null: this site. */
export const modelHost = source.url.startsWith("/") ? null : new URL(source.url).host;

export const modelStore = new ModelStore();

export const modelDownloads = new ModelDownloads({
  models: deviceModels,
  source,
  store: modelStore,
  fetch: createFetchWithIdleTimeout(idleMs),
  // Absent on pages without HTTPS.
  locks: navigator.locks ?? null,
  channel: typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel("dualect-models"),
  async getFreeBytes() {
    const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
    return quota === undefined || usage === undefined ? null : quota - usage;
  },
  persist: async () => navigator.storage?.persist?.(),
});

export const speechModels = deviceModels.filter(({ purpose }) => purpose === "speech");

/** The id of the model that the person chose; null: none. */
export const [speechModelChoice, chooseSpeechModel] = createStoredChoice(
  "speechModel",
  (stored) => stored,
);

/** Whether a speech model knows `language`; undefined: any. */
export const knowsLanguage = (
  { languages }: DeviceModel,
  language: SpokenLanguage | undefined,
): boolean => language === undefined || languages.includes("mul") || languages.includes(language);

/** The model that recognises speech: of those that are stored, and know `language`, the chosen one, or else the largest. */
export function selectSpeechModel(
  states: ReadonlyMap<string, ModelState> = modelDownloads.states.get(),
  choice = speechModelChoice.get(),
  language?: SpokenLanguage,
): DeviceModel | null {
  const stored = speechModels.filter(
    (model) => states.get(model.id)?.status === "stored" && knowsLanguage(model, language),
  );
  return stored.find(({ id }) => id === choice) ?? stored.at(-1) ?? null;
}

/** Looks up which models are stored, then `selectSpeechModel`. */
export async function findSpeechModel(language: SpokenLanguage): Promise<DeviceModel | null> {
  await modelDownloads.refresh();
  return selectSpeechModel(undefined, undefined, language);
}
