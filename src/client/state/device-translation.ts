import { browserLog } from "#client/lib/log.ts";
import {
  findTranslationModel,
  listModelPairs,
  translationModels,
} from "#client/models/translation-models.ts";
import { DeviceTranslators } from "#client/translation/device/device-translators.ts";
import { openTranslationModel } from "#client/translation/device/translation-model.ts";
import { toPairKey } from "#shared/translation-pairs.ts";
import { modelDownloads, modelStore } from "./device-models.ts";
import { devicePairs, setDevicePairs } from "./device-pairs.ts";

/** The translators on this device, and which of their models are stored. Loaded late. */

export const deviceTranslators = new DeviceTranslators({
  log: browserLog,
  findModel: findTranslationModel,
  async openModel({ id }) {
    const contents = await modelStore.readFiles(id);
    return contents && openTranslationModel(contents);
  },
});

/** Looks up what is stored. Never rejects. */
export const refreshDevicePairs = () => modelDownloads.refresh();

let storedIds: readonly string[] = [];

modelDownloads.states.subscribe(() => {
  const states = modelDownloads.states.get();
  if (translationModels.some(({ id }) => !states.has(id))) return;
  const stored = translationModels.filter((model) => {
    const state = states.get(model.id);
    // A storage that cannot be read says nothing of what it has.
    if (state?.status === "failed" && state.reason === "unavailable")
      return listModelPairs(model).every((pair) => devicePairs.get().includes(toPairKey(pair)));
    return state?.status === "stored";
  });
  const pairs = stored.flatMap(listModelPairs).map(toPairKey);
  const ids = stored.map(({ id }) => id);
  // Another tab may have stored the pairs already.
  if (ids.join() !== storedIds.join()) deviceTranslators.update(ids);
  storedIds = ids;
  if (pairs.join() !== devicePairs.get().join()) setDevicePairs(pairs);
});
