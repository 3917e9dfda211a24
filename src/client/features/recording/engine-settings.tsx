import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { noLecture, usePair } from "#client/reading/use-languages.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import { devicePairs } from "#client/state/device-pairs.ts";
import {
  canRecognize,
  checkLanguagePack,
  chooseSpeechEngine,
  downloadLanguagePack,
  languagePack,
  selectSpeechEngine,
  speechChoice,
} from "#client/state/engines.ts";
import { canHear } from "#client/state/heard-languages.ts";
import { useSiteInfo, withData } from "#client/state/queries.tsx";
import { recordingSession } from "#client/state/recording.ts";
import {
  canTranslate,
  chooseLanguageEngine,
  languageChoice,
  selectLanguageEngine,
} from "#client/state/translators.ts";
import type { LanguageEngine } from "#client/translation/language-calls.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { defaultSourceLanguage, type SourceLanguage } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { listTranslationPairs } from "#shared/translation-pairs.ts";
import { type MessageKey, type Translate, useT } from "./engine-messages/index.ts";
import { modelMessages } from "./model-messages/index.ts";

const DeviceModels = lazyPart(() => import("./device-models.tsx"), modelMessages);
const TranslationModels = lazyPart(() => import("./translation-models.tsx"), modelMessages);

export default withData(EngineSettings);

/** The choice between the site's services and the engines of this browser. `fallback` is shown until it is known. */
function EngineSettings({ fallback }: { fallback: ReactNode }) {
  const t = useT();
  const { data: info } = useSiteInfo();
  const chosenSpeech = useValue(speechChoice);
  const chosenLanguage = useValue(languageChoice);
  const onDevice = useValue(devicePairs);
  const languages = usePair(useValue(recordingSession) ?? noLecture);
  const pairs = listTranslationPairs(languages);
  if (!info) return fallback;
  const { speech: isDemoSpeech, llm: isDemoLanguage } = info.standIns;
  const languageEngine = selectLanguageEngine(info, chosenLanguage);
  const getState = (engine: SpeechEngine, state: MessageKey) =>
    t(canHear(engine, languages, info) ? state : "engine.notThisLanguage");
  return (
    <>
      <EngineChoice<SpeechEngine>
        label={t("engine.speech")}
        note={t("engine.appliesNext")}
        value={selectSpeechEngine(info, chosenSpeech)}
        onChange={chooseSpeechEngine}
        options={[
          isDemoSpeech
            ? {
                engine: "demo",
                label: t("engine.speechDemo"),
                state: t("engine.speechDemoState"),
                hint: t("engine.speechDemoHint"),
              }
            : {
                engine: "service",
                state: getState("service", "engine.speechServiceState"),
                ...describeSpeechService(t, info.speechService),
              },
          {
            engine: "browser",
            label: t("engine.browser"),
            state: canRecognize()
              ? getState("browser", "engine.speechBrowserState")
              : t("engine.notInBrowser"),
            hint: (
              <>
                <p>{t("engine.speechBrowserHint")}</p>
                <p>
                  <LanguagePackText language={languages.sourceLanguage} />
                </p>
              </>
            ),
            isDisabled: !canRecognize(),
          },
          {
            engine: "device",
            label: t("engine.device"),
            state: t("engine.deviceState"),
            hint: <DeviceModels />,
            modelsLabel: t("engine.speechModels"),
          },
        ]}
      />
      <EngineChoice<LanguageEngine>
        label={t("engine.language")}
        value={languageEngine}
        onChange={chooseLanguageEngine}
        options={[
          {
            engine: "service",
            label: t(isDemoLanguage ? "engine.speechDemo" : "engine.speechService"),
            state: t(isDemoLanguage ? "engine.languageDemoState" : "engine.languageServiceState"),
            hint: t(isDemoLanguage ? "engine.languageDemoHint" : "engine.languageServiceHint"),
          },
          {
            engine: "browser",
            label: t("engine.browser"),
            state: t(canTranslate() ? "engine.languageBrowserState" : "engine.notInBrowser"),
            hint: t("engine.languageBrowserHint"),
            isDisabled: !canTranslate(),
          },
          {
            engine: "device",
            label: t("engine.device"),
            state: t(onDevice.length > 0 ? "engine.deviceState" : "engine.noModel"),
            hint: <TranslationModels pairs={pairs} isUsed={languageEngine === "device"} />,
            modelsLabel: t("engine.languageModels"),
            isDisabled: onDevice.length === 0,
          },
        ]}
      />
    </>
  );
}

function describeSpeechService(t: Translate, service: SiteInfo["speechService"]) {
  if (service === "localServer")
    return { label: t("engine.speechLocalServer"), hint: t("engine.speechLocalServerHint") };
  const hint =
    service === "ownServer"
      ? t("engine.speechOwnServerHint")
      : t("engine.speechServiceHint", { service });
  return { label: t("engine.speechService"), hint };
}

interface EngineChoiceProps<Engine> {
  label: string;
  /** When the choice takes effect, unless at once. */
  note?: string;
  /** Null while none is used. */
  value: Engine | null;
  onChange: (engine: Engine) => void;
  options: readonly {
    engine: Engine;
    label: string;
    /** In a few words, beside the name. */
    state: string;
    /** Shown of the chosen engine. */
    hint: ReactNode;
    isDisabled?: boolean;
    /** The hint has downloads and can be opened before the engine is chosen, by a button with this name. */
    modelsLabel?: string;
  }[];
}

/** One line for each engine, and below the chosen one what it does. */
function EngineChoice<Engine extends string>(props: EngineChoiceProps<Engine>) {
  const { label, note, value, onChange, options } = props;
  const id = useId();
  const [areModelsOpen, setModelsOpen] = useState(false);
  return (
    <fieldset className="grid">
      <legend className="mb-1 font-medium">{label}</legend>
      {options.map(({ engine, label, state, hint, isDisabled = false, modelsLabel }) => {
        const inputId = `${id}-${engine}`;
        const isChosen = value === engine;
        const isOpen = isChosen || (areModelsOpen && modelsLabel !== undefined);
        return (
          <div
            key={engine}
            className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center gap-x-2.5 pointer-coarse:min-h-11"
          >
            <input
              type="radio"
              id={inputId}
              name={id}
              checked={isChosen}
              disabled={isDisabled}
              onChange={() => onChange(engine)}
              aria-describedby={isOpen ? `${inputId}-state ${inputId}-hint` : `${inputId}-state`}
              className="touch-target size-4 accent-(--ink)"
            />
            <label
              htmlFor={inputId}
              className={`py-2 ${isDisabled ? "text-ink-3" : "cursor-pointer"}`}
            >
              {label}
            </label>
            <span className="flex items-center gap-1">
              <span id={`${inputId}-state`} className="text-ink-3 text-sm">
                {state}
              </span>
              {modelsLabel && !isChosen ? (
                <IconButton
                  icon={ChevronDown}
                  iconClass={`size-4 transition-transform duration-150 ease-quiet ${isOpen ? "rotate-180" : ""}`}
                  label={modelsLabel}
                  aria-expanded={isOpen}
                  aria-controls={`${inputId}-hint`}
                  onClick={() => setModelsOpen(!isOpen)}
                  className="-mr-2.5 size-8"
                />
              ) : null}
            </span>
            {isOpen ? (
              <div
                id={`${inputId}-hint`}
                className="col-span-2 col-start-2 pb-2 text-pretty text-ink-3 text-sm"
              >
                {hint}
              </div>
            ) : null}
          </div>
        );
      })}
      {note ? <p className="mt-1 text-ink-3 text-sm">{note}</p> : null}
    </fieldset>
  );
}

/** Where the browser recognises, with the download that keeps speech on this device. */
function LanguagePackText({ language }: { language: SourceLanguage }) {
  const t = useT();
  const pack = useValue(languagePack);
  const spoken = language === "detect" ? defaultSourceLanguage : language;
  useEffect(() => void checkLanguagePack(spoken), [spoken]);
  switch (pack?.state) {
    case undefined:
      return null;
    case "available":
      return t(pack.quality ? `engine.packAvailable.${pack.quality}` : "engine.packAvailable");
    case "unavailable":
      return t("engine.packRemote");
    case "downloading":
      return <span role="status">{t("engine.packDownloading")}</span>;
    case "downloadable":
    case "failed":
      return (
        <>
          <span role="status">
            {t(pack.state === "failed" ? "engine.packFailed" : "engine.packRemote")}
          </span>
          <span className="mt-1.5 flex flex-wrap items-center gap-x-3">
            <Button size="small" onClick={() => void downloadLanguagePack(spoken)}>
              {t("engine.packDownload")}
            </Button>
            {t("engine.packDownloadHint")}
          </span>
        </>
      );
  }
}
