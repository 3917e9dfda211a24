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
  canChoosePace,
  chooseTranslationPace,
  paceChoice,
  selectTranslationPace,
} from "#client/state/stream-translation.ts";
import {
  canTranslate,
  chooseLanguageEngine,
  languageChoice,
  selectLanguageEngine,
} from "#client/state/translators.ts";
import type { LanguageEngine } from "#client/translation/language-calls.ts";
import { Button } from "#client/ui/button.tsx";
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
  const speech = selectSpeechEngine(info, chosenSpeech);
  const language = selectLanguageEngine(info, chosenLanguage);
  const missingService = {
    label: t("engine.speechService"),
    state: t("engine.notOnSite"),
    hint: null,
    isDisabled: true,
  };
  const getState = (engine: SpeechEngine, state: MessageKey) =>
    t(canHear(engine, languages, info) ? state : "engine.notThisLanguage");
  return (
    <>
      <EngineChoice<SpeechEngine>
        label={t("engine.speech")}
        note={t("engine.appliesNext")}
        value={speech === chosenSpeech ? speech : null}
        best={selectSpeechEngine(info, null)}
        onChange={chooseSpeechEngine}
        options={[
          isDemoSpeech
            ? {
                engine: "demo",
                label: t("engine.speechDemo"),
                state: t("engine.speechDemoState"),
                hint: t("engine.speechDemoHint"),
              }
            : info.speechService === null
              ? { ...missingService, engine: "service" }
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
            hint: t("engine.speechDeviceHint"),
            models: { label: t("engine.speechModels"), list: <DeviceModels /> },
          },
        ]}
      />
      <EngineChoice<LanguageEngine>
        label={t("engine.language")}
        value={language === chosenLanguage ? language : null}
        best={selectLanguageEngine(info, null)}
        onChange={chooseLanguageEngine}
        options={[
          info.lacksModel
            ? { ...missingService, engine: "service" }
            : {
                engine: "service",
                label: t(isDemoLanguage ? "engine.speechDemo" : "engine.speechService"),
                state: t(
                  isDemoLanguage ? "engine.languageDemoState" : "engine.languageServiceState",
                ),
                hint: (
                  <>
                    <p>
                      {t(isDemoLanguage ? "engine.languageDemoHint" : "engine.languageServiceHint")}
                    </p>
                    {canChoosePace(info) ? <TranslationPaceChoice info={info} /> : null}
                  </>
                ),
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
            hint: t("engine.languageDeviceHint"),
            models: {
              label: t("engine.languageModels"),
              list: <TranslationModels pairs={pairs} isUsed={language === "device"} />,
            },
            isDisabled: onDevice.length === 0,
          },
        ]}
      />
    </>
  );
}

/** Whether the speech service translates, or the language model. */
function TranslationPaceChoice({ info }: { info: SiteInfo }) {
  const t = useT();
  const id = useId();
  const pace = selectTranslationPace(info, useValue(paceChoice));
  return (
    <fieldset className="mt-1 grid">
      <legend>{t("engine.pace")}</legend>
      {(["fast", "careful"] as const).map((option) => (
        <label
          key={option}
          className="flex cursor-pointer items-center gap-2.5 py-1 pointer-coarse:min-h-11"
        >
          <input
            type="radio"
            name={id}
            checked={pace === option}
            onChange={() => chooseTranslationPace(option)}
            className="touch-target size-4 shrink-0 accent-(--ink)"
          />
          {t(option === "fast" ? "engine.paceFast" : "engine.paceCareful")}
        </label>
      ))}
    </fieldset>
  );
}

function describeSpeechService(t: Translate, service: NonNullable<SiteInfo["speechService"]>) {
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
  /** What the person has chosen; null: whichever is best. */
  value: Engine | null;
  /** What that is now; null: none. */
  best: Engine | null;
  onChange: (engine: Engine | null) => void;
  options: readonly {
    engine: Engine;
    label: string;
    /** In a few words, beside the name. */
    state: string;
    /** What it does, what it costs, where the sound or the text goes. */
    hint: ReactNode;
    isDisabled?: boolean;
    /** With its downloads, which can be opened before the engine is chosen, by a button with this name. */
    models?: { label: string; list: ReactNode };
  }[];
}

/** A card for each engine, and one that leaves the choice to the program. */
function EngineChoice<Engine extends string>(props: EngineChoiceProps<Engine>) {
  const { label, note, value, best, onChange, options } = props;
  const t = useT();
  const name = useId();
  const now = options.find(({ engine }) => engine === best)?.label;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold text-md">{label}</legend>
      <EngineCard
        name={name}
        label={t("engine.automatic")}
        hint={
          now === undefined ? t("engine.automaticNone") : t("engine.automaticHint", { engine: now })
        }
        isChosen={value === null}
        onChoose={() => onChange(null)}
      />
      {options.map(({ engine, ...option }) => (
        <EngineCard
          key={engine}
          name={name}
          {...option}
          isChosen={value === engine}
          onChoose={() => onChange(engine)}
        />
      ))}
      {note ? <p className="text-ink-3 text-sm">{note}</p> : null}
    </fieldset>
  );
}

interface EngineCardProps {
  /** Of the group of radio buttons. */
  name: string;
  label: string;
  state?: string;
  hint: ReactNode;
  isDisabled?: boolean;
  models?: { label: string; list: ReactNode };
  isChosen: boolean;
  onChoose: () => void;
}

/** A choice that is chosen by a click anywhere on it. */
function EngineCard(props: EngineCardProps) {
  const { name, label, state, hint, isDisabled = false, models, isChosen, onChoose } = props;
  const id = useId();
  const [areModelsOpen, setModelsOpen] = useState(false);
  const isOpen = isChosen || areModelsOpen;
  return (
    <div
      className={`relative grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 rounded-m border bg-sheet px-3.5 py-3 ${isChosen ? "border-ink inset-ring inset-ring-ink" : "border-rule-control"}`}
    >
      <input
        type="radio"
        id={id}
        name={name}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
        aria-describedby={`${state === undefined ? "" : `${id}-state `}${id}-hint`}
        className="touch-target mt-0.75 size-4 accent-(--ink)"
      />
      <div className="flex flex-wrap items-start justify-between gap-x-3 gap-y-1">
        <label
          htmlFor={id}
          className={`font-semibold text-md ${isDisabled ? "text-ink-3" : "cursor-pointer after:absolute after:inset-0"}`}
        >
          {label}
        </label>
        {state === undefined ? null : (
          <span
            id={`${id}-state`}
            className="rounded-full border border-rule-control px-2 py-px font-[550] text-ink-2 text-xs"
          >
            {state}
          </span>
        )}
      </div>
      <div className="pointer-events-none relative col-start-2 grid justify-items-start gap-1.5 text-pretty text-ink-2 text-sm [&_button]:pointer-events-auto">
        <div id={`${id}-hint`}>{hint}</div>
        {models && !isChosen ? (
          <button
            type="button"
            aria-expanded={areModelsOpen}
            aria-controls={`${id}-models`}
            onClick={() => setModelsOpen(!areModelsOpen)}
            className="touch-target underline decoration-rule-strong underline-offset-3 hover:decoration-current"
          >
            {models.label}
          </button>
        ) : null}
        {models && isOpen ? (
          <div id={`${id}-models`} className="pointer-events-auto w-full">
            {models.list}
          </div>
        ) : null}
      </div>
    </div>
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
