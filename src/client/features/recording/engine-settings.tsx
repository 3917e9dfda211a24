import { ChevronDown } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useValue } from "#client/lib/signal.ts";
import type { SpeechEngine } from "#client/realtime/session-types.ts";
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
import {
  canTranslate,
  chooseLanguageEngine,
  languageChoice,
  selectLanguageEngine,
} from "#client/state/translators.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { defaultSourceLanguage, type SourceLanguage } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { listTranslationPairs } from "#shared/translation-pairs.ts";
import { useT } from "./engine-messages/index.ts";
import { modelMessages } from "./model-messages/index.ts";
import { useSessionLanguages } from "./session-languages.ts";

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
  const languages = useSessionLanguages();
  const pairs = listTranslationPairs(languages);
  if (!info) return fallback;
  const { speech: isDemoSpeech, llm: isDemoLanguage } = info.standIns;
  const languageEngine = selectLanguageEngine(info, chosenLanguage);
  const unheard = (engine: SpeechEngine) =>
    canHear(engine, languages, info) ? null : { state: t("engine.notThisLanguage") };
  return (
    <>
      <EngineChoice
        label={t("engine.speech")}
        note={t("engine.appliesNext")}
        value={selectSpeechEngine(info, chosenSpeech)}
        onChange={chooseSpeechEngine}
        service={{
          engine: isDemoSpeech ? "demo" : "service",
          ...(isDemoSpeech
            ? {
                label: t("engine.speechDemo"),
                state: t("engine.speechDemoState"),
                hint: t("engine.speechDemoHint"),
              }
            : { ...describeSpeechService(t, info.speechService), ...unheard("service") }),
        }}
        browser={{
          state: unheard("browser")?.state ?? t("engine.speechBrowserState"),
          hint: (
            <>
              <p>{t("engine.speechBrowserHint")}</p>
              <p>
                <LanguagePackText language={languages.sourceLanguage} />
              </p>
            </>
          ),
          isDisabled: !canRecognize(),
        }}
        device={{
          engine: "device",
          modelsLabel: t("engine.speechModels"),
          hint: <DeviceModels />,
          isDisabled: false,
        }}
      />
      <EngineChoice
        label={t("engine.language")}
        value={languageEngine}
        onChange={chooseLanguageEngine}
        service={{
          engine: "service",
          label: t(isDemoLanguage ? "engine.speechDemo" : "engine.speechService"),
          state: t(isDemoLanguage ? "engine.languageDemoState" : "engine.languageServiceState"),
          hint: t(isDemoLanguage ? "engine.languageDemoHint" : "engine.languageServiceHint"),
        }}
        browser={{
          state: t("engine.languageBrowserState"),
          hint: t("engine.languageBrowserHint"),
          isDisabled: !canTranslate(),
        }}
        device={{
          engine: "device",
          modelsLabel: t("engine.languageModels"),
          hint: <TranslationModels pairs={pairs} isUsed={languageEngine === "device"} />,
          isDisabled: onDevice.length === 0,
        }}
      />
    </>
  );
}

function describeSpeechService(
  t: ReturnType<typeof useT>,
  service: SiteInfo["speechService"],
): { label: string; state: string; hint: string } {
  const state = t("engine.speechServiceState");
  if (service === "localServer")
    return { label: t("engine.speechLocalServer"), state, hint: t("engine.speechLocalServerHint") };
  const hint =
    service === "ownServer"
      ? t("engine.speechOwnServerHint")
      : t("engine.speechServiceHint", { service });
  return { label: t("engine.speechService"), state, hint };
}

interface EngineOption<Engine> {
  engine: Engine;
  label: string;
  /** In a few words, beside the name. */
  state: string;
  /** Shown of the chosen engine. */
  hint: ReactNode;
  isDisabled: boolean;
}

interface EngineChoiceProps<Engine extends string> {
  label: string;
  /** When the choice takes effect, unless at once. */
  note?: string;
  /** Null while none is used. */
  value: Engine | "browser" | null;
  onChange: (engine: Engine | "browser") => void;
  service: Omit<EngineOption<Engine>, "isDisabled">;
  browser: Omit<EngineOption<Engine>, "engine" | "label">;
  /** A model in this page; its hint can be opened before it is chosen, as it has the downloads. */
  device: Omit<EngineOption<Engine>, "label" | "state"> & { modelsLabel: string };
}

/** One line for each engine, and below the chosen one what it does. */
function EngineChoice<Engine extends string>(props: EngineChoiceProps<Engine>) {
  const t = useT();
  const id = useId();
  const { label, note, value, onChange, service, browser, device } = props;
  const [areModelsOpen, setModelsOpen] = useState(false);
  const options: EngineOption<Engine | "browser">[] = [
    { ...service, isDisabled: false },
    {
      ...browser,
      engine: "browser",
      label: t("engine.browser"),
      state: browser.isDisabled ? t("engine.notInBrowser") : browser.state,
    },
    {
      ...device,
      label: t("engine.device"),
      state: t(device.isDisabled ? "engine.noModel" : "engine.deviceState"),
    },
  ];
  return (
    <fieldset className="grid">
      <legend className="mb-1 font-medium">{label}</legend>
      {options.map(({ engine, label, state, hint, isDisabled }) => {
        const inputId = `${id}-${engine}`;
        const isChosen = value === engine;
        const isOpen = isChosen || (areModelsOpen && engine === device.engine);
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
              {engine === device.engine && !isChosen ? (
                <IconButton
                  icon={ChevronDown}
                  iconClass={`size-4 transition-transform duration-150 ease-quiet ${isOpen ? "rotate-180" : ""}`}
                  label={device.modelsLabel}
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
  switch (pack) {
    case null:
      return null;
    case "available":
      return t("engine.packAvailable");
    case "unavailable":
      return t("engine.packRemote");
    case "downloading":
      return <span role="status">{t("engine.packDownloading")}</span>;
    case "downloadable":
    case "failed":
      return (
        <>
          <span role="status">
            {t(pack === "failed" ? "engine.packFailed" : "engine.packRemote")}
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
