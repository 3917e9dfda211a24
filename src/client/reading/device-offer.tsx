import { type MouseEvent, useEffect } from "react";
import { useSentenceSpace } from "#client/i18n/bundle.ts";
import { useTargetName } from "#client/i18n/language-names.ts";
import { useValue } from "#client/lib/hooks.ts";
import { formatSize } from "#client/lib/text.ts";
import { findTranslationModel } from "#client/models/translation-models.ts";
import { modelDownloads } from "#client/state/device-models.ts";
import { refreshDevicePairs } from "#client/state/device-translation.ts";
import { HelpAction } from "#client/ui/text-button.tsx";
import type { TranslationPair } from "#shared/translation-pairs.ts";
import { useT } from "./dialog-messages/index.ts";

/** Offers the download of the model that translates `pair` on this device, and shows how far it is. */
export default function DeviceOffer({ pair }: { pair: TranslationPair }) {
  const t = useT();
  const nameTarget = useTargetName();
  const space = useSentenceSpace();
  const states = useValue(modelDownloads.states);
  useEffect(() => void refreshDevicePairs(), []);
  const model = findTranslationModel(pair);
  const state = model === null ? undefined : states.get(model.id);
  if (model === null || state === undefined || state.status === "stored") return null;
  if (state.status === "failed" && state.reason === "unavailable") return null;
  const language = nameTarget(pair.targetLanguage);
  if (state.status === "downloading") {
    const percent = Math.floor((state.bytes / state.totalBytes) * 100);
    return (
      <>
        {space}
        {t("missing.deviceDownload", { language, percent })}
      </>
    );
  }
  const bytes = (state.status === "failed" ? state.totalBytes : null) ?? model.bytes;
  const download = (event: MouseEvent) => {
    // The button disappears.
    event.currentTarget.closest<HTMLElement>("[data-row], section")?.focus();
    void modelDownloads.download(model, bytes);
  };
  return (
    <>
      {state.status === "failed" ? space + t("missing.deviceFailed") : null}
      <HelpAction label={t("missing.onDevice", { size: formatSize(bytes) })} onClick={download} />
    </>
  );
}
