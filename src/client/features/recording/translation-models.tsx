import { useEffect } from "react";
import { useTargetName } from "#client/i18n/language-names.ts";
import { useValue } from "#client/lib/signal.ts";
import {
  findTranslationModel,
  translationModels,
} from "#client/realtime/models/translation-models.ts";
import { modelDownloads, modelHost } from "#client/state/device-models.ts";
import { refreshDeviceLanguages } from "#client/state/device-translation.ts";
import { chooseLanguageEngine } from "#client/state/translators.ts";
import {
  isTranslationLanguage,
  type TargetLanguage,
  translationLanguages,
} from "#shared/languages.ts";
import { Model } from "./device-models.tsx";
import { useT } from "./model-messages/index.ts";

interface TranslationModelsProps {
  target: TargetLanguage;
  /** This device is what translates. */
  isUsed: boolean;
}

/** The model on this device for the language that is translated into, and others that take room. */
export default function TranslationModels({ target, isUsed }: TranslationModelsProps) {
  const t = useT();
  const nameTarget = useTargetName();
  const states = useValue(modelDownloads.states);
  useEffect(() => void refreshDeviceLanguages(), []);
  const wanted = isTranslationLanguage(target) ? findTranslationModel(target) : null;
  const shown = translationModels.flatMap((model) => {
    const state = states.get(model.id);
    if (state === undefined) return [];
    const takesRoom = state.bytes > 0 || state.status === "downloading";
    return takesRoom || model.id === wanted?.id ? [{ model, state }] : [];
  });
  return (
    <div className="grid gap-2">
      <p>{t("model.translationIntro")}</p>
      <p>{modelHost === null ? t("model.sourceHere") : t("model.source", { host: modelHost })}</p>
      {isTranslationLanguage(target) && wanted === null ? (
        <p>{t("model.noPair", { language: nameTarget(target) })}</p>
      ) : null}
      {shown.length > 0 ? (
        <ul
          aria-label={t("model.translationList")}
          className="divide-y divide-rule rounded-m border border-rule"
        >
          {shown.map(({ model, state }) => {
            const isWanted = model.id === wanted?.id;
            return (
              <Model
                key={model.id}
                model={model}
                about={translationLanguages
                  .filter((language) => language in model.targets)
                  .map((language) => t("model.pair", { language: nameTarget(language) }))
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
