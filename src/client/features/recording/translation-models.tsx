import { useEffect } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import { useValue } from "#client/lib/hooks.ts";
import {
  findTranslationModel,
  listModelPairs,
  translationModels,
} from "#client/models/translation-models.ts";
import { modelDownloads, modelHost } from "#client/state/device-models.ts";
import { refreshDevicePairs } from "#client/state/device-translation.ts";
import { chooseLanguageEngine } from "#client/state/translators.ts";
import { getLanguageName } from "#shared/languages.ts";
import { type TranslationPair, toPairKey } from "#shared/translation-pairs.ts";
import { Model } from "./device-models.tsx";
import { useT } from "./model-messages/index.ts";

interface TranslationModelsProps {
  /** What is translated. */
  pairs: readonly TranslationPair[];
  /** This device is what translates. */
  isUsed: boolean;
}

/** The models on this device for what is translated, and others that take room. */
export default function TranslationModels({ pairs, isUsed }: TranslationModelsProps) {
  const t = useT();
  const nameTarget = useTargetName();
  const locale = useLanguage();
  const states = useValue(modelDownloads.states);
  useEffect(() => void refreshDevicePairs(), []);
  const describe = ({ sourceLanguage, targetLanguage }: TranslationPair) => ({
    source: getLanguageName(sourceLanguage, locale),
    language: nameTarget(targetLanguage),
  });
  const wanted = pairs.map(findTranslationModel);
  const shown = translationModels.flatMap((model) => {
    const state = states.get(model.id);
    if (state === undefined) return [];
    const takesRoom = state.bytes > 0 || state.status === "downloading";
    return takesRoom || wanted.includes(model) ? [{ model, state }] : [];
  });
  return (
    <div className="grid gap-2">
      <p>{modelHost === null ? t("model.sourceHere") : t("model.source", { host: modelHost })}</p>
      {pairs.map((pair, index) =>
        wanted[index] ? null : <p key={toPairKey(pair)}>{t("model.noPair", describe(pair))}</p>,
      )}
      {shown.length > 0 ? (
        <ul
          aria-label={t("model.translationList")}
          className="divide-y divide-rule rounded-m border border-rule"
        >
          {shown.map(({ model, state }) => {
            const isWanted = wanted.includes(model);
            return (
              <Model
                key={model.id}
                model={model}
                about={listModelPairs(model)
                  .map((pair) => t("model.pair", describe(pair)))
                  .join(" ")}
                state={state}
                isUsed={isUsed && isWanted}
                use={isWanted ? () => chooseLanguageEngine("device") : null}
              />
            );
          })}
        </ul>
      ) : null}
    </div>
  );
}
