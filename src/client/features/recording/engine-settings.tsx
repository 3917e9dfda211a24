import { type ReactNode, useEffect, useId, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { usePair } from "#client/reading/use-languages.ts";
import { isRoomEngine, type SpeechEngine } from "#client/recognition/speech-engine.ts";
import {
  modelDownloads,
  selectSpeechModel,
  speechModelChoice,
} from "#client/state/device-models.ts";
import { devicePairs } from "#client/state/device-pairs.ts";
import { canHear } from "#client/state/engine-rules.ts";
import {
  canRecognize,
  checkLanguagePack,
  chooseSpeechEngine,
  downloadLanguagePack,
  languagePack,
  selectSpeechEngine,
  speechChoice,
} from "#client/state/engines.ts";
import { findModelSpeed, windowTimes } from "#client/state/model-speeds.ts";
import { nextLecture } from "#client/state/next-lecture.ts";
import { isOffline } from "#client/state/offline.ts";
import { useSiteInfo, withData } from "#client/state/queries.tsx";
import { recordingSession } from "#client/state/recording.ts";
import {
  canChoosePace,
  chooseTranslationPace,
  paceChoice,
  selectTranslationPace,
  translatesInStream,
} from "#client/state/stream-translation.ts";
import {
  askBrowserTranslator,
  browserAnswers,
  canTranslate,
  chooseLanguageEngine,
  languageChoice,
  selectLanguageEngine,
} from "#client/state/translators.ts";
import type { LanguageEngine } from "#client/translation/language-calls.ts";
import { Button } from "#client/ui/button.tsx";
import {
  defaultSourceLanguage,
  type LanguagePair,
  type SpokenLanguage,
} from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { listTranslationPairs, toPairKey } from "#shared/translation-pairs.ts";
import { describeLanguageEngine, describeSpeechEngine } from "./engine-facts.ts";
import { type MessageKey, type Translate, useT } from "./engine-list-messages/index.ts";
import { modelMessages } from "./model-messages/index.ts";

const DeviceModels = lazyPart(() => import("./device-models.tsx"), modelMessages);
const TranslationModels = lazyPart(() => import("./translation-models.tsx"), modelMessages);

export default withData(EngineSettings);

/** The choice between the site's services and the engines of this browser. `fallback` is shown until it is known. */
function EngineSettings({ fallback }: { fallback: ReactNode }) {
  const t = useT();
  const { data: info } = useSiteInfo();
  const languages = usePair(useValue(recordingSession) ?? nextLecture);
  if (!info) return fallback;
  return (
    <>
      <SpeechChoice t={t} info={info} pair={languages} />
      <LanguageChoice t={t} info={info} pair={languages} />
    </>
  );
}

interface ChoiceProps {
  t: Translate;
  info: SiteInfo;
  /** The languages of the open lecture, or of the next one. */
  pair: LanguagePair;
}

function SpeechChoice({ t, info, pair }: ChoiceProps) {
  const shownIn = useLanguage();
  const chosen = useValue(speechChoice);
  const pack = useValue(languagePack);
  const states = useValue(modelDownloads.states);
  const chosenModel = useValue(speechModelChoice);
  const times = useValue(windowTimes);
  useValue(isOffline);
  const { sourceLanguage } = pair;
  const spoken = sourceLanguage === "detect" ? defaultSourceLanguage : sourceLanguage;
  useEffect(() => void checkLanguagePack(spoken), [spoken]);
  useEffect(() => void modelDownloads.refresh(), []);
  const model = selectSpeechModel(states, chosenModel, spoken);
  const modelSpeed = model && (findModelSpeed(model, times)?.speed ?? "unknown");
  const engine = selectSpeechEngine(info, chosen, pair);
  const describe = (one: SpeechEngine) => (
    <Facts
      facts={describeSpeechEngine(one, {
        site: info,
        pair,
        t,
        shownIn,
        modelSpeed,
        pack: pack?.state ?? null,
      })}
    />
  );
  const getState = (one: SpeechEngine, state: MessageKey) =>
    t(canHear(one, pair, info) ? state : "engine.notThisLanguage");
  return (
    <EngineChoice<SpeechEngine>
      label={t("engine.speech")}
      note={t("engine.appliesNext")}
      value={engine === chosen ? engine : null}
      now={nameSpeechEngine(t, info, selectSpeechEngine(info, null, pair))}
      onChange={chooseSpeechEngine}
      options={[
        info.standIns.speech
          ? {
              engine: "demo",
              label: t("engine.speechDemo"),
              state: t("engine.speechDemoState"),
              hint: describe("demo"),
            }
          : info.speechService === null
            ? { ...getMissingService(t), engine: "service" }
            : {
                engine: "service",
                label: nameSpeechEngine(t, info, "service"),
                state: getState("service", "engine.speechServiceState"),
                hint: describe("service"),
              },
        {
          engine: "browser",
          label: t("engine.browser"),
          state: canRecognize()
            ? getState("browser", "engine.speechBrowserState")
            : t("engine.notInBrowser"),
          hint: canRecognize() ? (
            <>
              {describe("browser")}
              <LanguagePackText language={spoken} />
            </>
          ) : null,
          isDisabled: !canRecognize(),
        },
        {
          engine: "device",
          label: t("engine.device"),
          state: t("engine.deviceState"),
          hint: describe("device"),
          models: { label: t("engine.speechModels"), list: <DeviceModels /> },
        },
      ]}
    />
  );
}

const getMissingService = (t: Translate) => ({
  label: t("engine.speechService"),
  state: t("engine.notOnSite"),
  hint: null,
  isDisabled: true,
});

function nameSpeechEngine(t: Translate, info: SiteInfo, engine: SpeechEngine): string {
  if (engine === "service")
    return t(
      info.speechService === "localServer" ? "engine.speechLocalServer" : "engine.speechService",
    );
  return t(engine === "demo" ? "engine.speechDemo" : `engine.${engine}`);
}

function LanguageChoice({ t, info, pair }: ChoiceProps) {
  const shownIn = useLanguage();
  const chosen = useValue(languageChoice);
  const onDevice = useValue(devicePairs);
  const pace = useValue(paceChoice);
  const answers = useValue(browserAnswers);
  useValue(isOffline);
  const pairs = listTranslationPairs(pair);
  const keys = pairs.map(toPairKey).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys say what the pairs are
  useEffect(() => {
    for (const one of pairs) void askBrowserTranslator(one);
  }, [keys]);
  const isDemo = info.standIns.llm;
  const language = selectLanguageEngine(info, chosen);
  const isHeardByService = isRoomEngine(selectSpeechEngine(info, undefined, pair));
  const isStreamed = (choice: LanguageEngine | null) =>
    isHeardByService && translatesInStream(pair, info, choice, pace);
  const best = selectLanguageEngine(info, null);
  const first = pairs[0] && toPairKey(pairs[0]);
  const describe = (engine: LanguageEngine) => (
    <Facts
      facts={describeLanguageEngine(engine, {
        site: info,
        pair,
        t,
        shownIn,
        isStreamed: isStreamed("service"),
        browserPack: (first === undefined ? null : answers.get(first)) ?? null,
        hasDeviceModel: first !== undefined && onDevice.includes(first),
      })}
    />
  );
  const names = {
    service: t(isDemo ? "engine.speechDemo" : "engine.speechService"),
    browser: t("engine.browser"),
    device: t("engine.device"),
  };
  return (
    <EngineChoice<LanguageEngine>
      label={t("engine.language")}
      value={language === chosen ? language : null}
      now={isStreamed(null) ? t("engine.stream.now") : best && names[best]}
      onChange={chooseLanguageEngine}
      options={[
        info.lacksModel
          ? {
              ...getMissingService(t),
              engine: "service",
              hint: isStreamed(null) ? describe("service") : null,
            }
          : {
              engine: "service",
              label: names.service,
              state: t(isDemo ? "engine.languageDemoState" : "engine.languageServiceState"),
              hint: (
                <>
                  {isDemo ? <p>{t("engine.languageDemoHint")}</p> : null}
                  {isDemo && !isStreamed(null) ? null : describe("service")}
                  {canChoosePace(info) ? <TranslationPaceChoice t={t} info={info} /> : null}
                </>
              ),
            },
        {
          engine: "browser",
          label: names.browser,
          state: t(canTranslate() ? "engine.languageBrowserState" : "engine.notInBrowser"),
          hint: canTranslate() ? describe("browser") : null,
          isDisabled: !canTranslate(),
        },
        {
          engine: "device",
          label: names.device,
          state: t(onDevice.length > 0 ? "engine.deviceState" : "engine.noModel"),
          hint: describe("device"),
          models: {
            label: t("engine.languageModels"),
            list: <TranslationModels pairs={pairs} isUsed={language === "device"} />,
          },
          isDisabled: onDevice.length === 0,
        },
      ]}
    />
  );
}

/** Short sentences, two beside each other where there is room. */
const Facts = ({ facts }: { facts: readonly string[] }) => (
  <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,14rem),1fr))] gap-x-5 gap-y-0.5">
    {facts.map((fact) => (
      <li key={fact}>{fact}</li>
    ))}
  </ul>
);

/** Whether the speech service translates, or the language model. */
function TranslationPaceChoice({ t, info }: Pick<ChoiceProps, "t" | "info">) {
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

interface EngineChoiceProps<Engine> {
  label: string;
  /** When the choice takes effect, unless at once. */
  note?: string;
  /** What the person has chosen; null: whichever is best. */
  value: Engine | null;
  /** What that is now, by its name; null: none. */
  now: string | null;
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
  const { label, note, value, now, onChange, options } = props;
  const t = useT();
  const name = useId();
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-2 font-semibold text-md">{label}</legend>
      <EngineCard
        name={name}
        label={t("engine.automatic")}
        hint={now === null ? t("engine.automaticNone") : t("engine.automaticHint", { engine: now })}
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
      <div className="pointer-events-none relative col-start-2 grid justify-items-start gap-1.5 text-pretty text-ink-2 text-sm [&_:is(button,label)]:pointer-events-auto">
        <div id={`${id}-hint`} className="w-full">
          {hint}
        </div>
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

/** Which language pack this browser has for `language`, or the download that keeps speech on this device. */
function LanguagePackText({ language }: { language: SpokenLanguage }) {
  const t = useT();
  const pack = useValue(languagePack);
  switch (pack?.state) {
    case undefined:
    case "unavailable":
      return null;
    case "available":
      return pack.quality ? <p>{t(`engine.packAvailable.${pack.quality}`)}</p> : null;
    case "downloading":
      return (
        <p className="mt-1.5" role="status">
          {t("engine.packDownloading")}
        </p>
      );
    case "downloadable":
    case "failed":
      return (
        <>
          <p role="status" className="empty:hidden">
            {pack.state === "failed" ? t("engine.packFailed") : null}
          </p>
          <p className="mt-1.5 flex flex-wrap items-center gap-x-3">
            <Button size="small" onClick={() => void downloadLanguagePack(language)}>
              {t("engine.packDownload")}
            </Button>
            {t("engine.packDownloadHint")}
          </p>
        </>
      );
  }
}
