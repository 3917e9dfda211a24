import { type ReactNode, Suspense, useEffect, useId } from "react";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Signal, useField, useValue } from "#client/lib/signal.ts";
import { deviceLanguages } from "#client/state/device-languages.ts";
import {
  canRecognize,
  checkLanguagePack,
  chooseSpeechEngine,
  downloadLanguagePack,
  languagePack,
  listSpeechEngines,
  selectSpeechEngine,
  speechChoice,
} from "#client/state/engines.ts";
import { DataProvider, useSiteInfo } from "#client/state/queries.tsx";
import { recordingSession } from "#client/state/recording.ts";
import {
  canTranslate,
  chooseLanguageEngine,
  languageChoice,
  selectLanguageEngine,
} from "#client/state/translators.ts";
import { Button } from "#client/ui/button.tsx";
import type { TargetLanguage } from "#shared/languages.ts";
import type { SiteInfo } from "#shared/site.ts";
import { useT } from "./engine-messages/index.ts";
import { modelMessages } from "./model-messages/index.ts";

const DeviceModels = lazyPart(() => import("./device-models.tsx"), modelMessages);
const TranslationModels = lazyPart(() => import("./translation-models.tsx"), modelMessages);

const noTarget = new Signal({ targetLanguage: "none" } as const);

/** The choice between the site's services and the engines of this browser. */
export default function EngineSettings() {
  return (
    <DataProvider>
      <Engines />
    </DataProvider>
  );
}

function Engines() {
  const t = useT();
  const { data: info } = useSiteInfo();
  const chosenSpeech = useValue(speechChoice);
  const chosenLanguage = useValue(languageChoice);
  const onDevice = useValue(deviceLanguages);
  const session = useValue(recordingSession);
  const target = useField<{ targetLanguage: TargetLanguage }, "targetLanguage">(
    session?.view ?? noTarget,
    "targetLanguage",
  );
  if (!info) return null;
  const { speech: isDemoSpeech, llm: isDemoLanguage } = info.standIns;
  const languageEngine = selectLanguageEngine(info, chosenLanguage);
  return (
    <>
      <hr className="border-rule" />
      <EngineChoice
        label={t("engine.speech")}
        note={t("engine.appliesNext")}
        value={selectSpeechEngine(info, chosenSpeech)}
        onChange={chooseSpeechEngine}
        service={{
          engine: isDemoSpeech ? "demo" : "service",
          ...(isDemoSpeech
            ? { label: t("engine.speechDemo"), hint: t("engine.speechDemoHint") }
            : describeSpeechService(t, info.speechService)),
        }}
        browserHint={
          canRecognize() ? (
            <>
              <p>{t("engine.speechBrowserHint")}</p>
              <p>
                <LanguagePackText />
              </p>
            </>
          ) : (
            t("engine.unsupportedSpeech")
          )
        }
        isBrowserDisabled={!canRecognize()}
        device={{
          engine: "device",
          hint: (
            <Suspense>
              <DeviceModels />
            </Suspense>
          ),
          isDisabled: !listSpeechEngines(info).includes("device"),
        }}
      />
      <EngineChoice
        label={t("engine.language")}
        value={languageEngine}
        onChange={chooseLanguageEngine}
        service={{
          engine: "service",
          label: t(isDemoLanguage ? "engine.speechDemo" : "engine.speechService"),
          hint: t(isDemoLanguage ? "engine.languageDemoHint" : "engine.languageServiceHint"),
        }}
        browserHint={t(
          canTranslate() ? "engine.languageBrowserHint" : "engine.unsupportedLanguage",
        )}
        isBrowserDisabled={!canTranslate()}
        device={{
          engine: "device",
          hint: (
            <Suspense>
              <TranslationModels target={target} isUsed={languageEngine === "device"} />
            </Suspense>
          ),
          isDisabled: onDevice.length === 0,
        }}
      />
    </>
  );
}

function describeSpeechService(
  t: ReturnType<typeof useT>,
  service: SiteInfo["speechService"],
): { label: string; hint: string } {
  if (service === "localServer")
    return { label: t("engine.speechLocalServer"), hint: t("engine.speechLocalServerHint") };
  const hint =
    service === "ownServer"
      ? t("engine.speechOwnServerHint")
      : t("engine.speechServiceHint", { service });
  return { label: t("engine.speechService"), hint };
}

interface EngineChoiceProps<Engine extends string> {
  label: string;
  /** When the choice takes effect, unless at once. */
  note?: string;
  /** Null while none is used. */
  value: Engine | "browser" | null;
  onChange: (engine: Engine | "browser") => void;
  service: { engine: Engine; label: string; hint: string };
  browserHint: ReactNode;
  isBrowserDisabled: boolean;
  /** A model in this page. */
  device: { engine: Engine; hint: ReactNode; isDisabled: boolean };
}

function EngineChoice<Engine extends string>(props: EngineChoiceProps<Engine>) {
  const t = useT();
  const id = useId();
  const { label, note, value, onChange, service, browserHint, isBrowserDisabled, device } = props;
  const options = [
    { ...service, isDisabled: false },
    {
      engine: "browser",
      label: t("engine.browser"),
      hint: browserHint,
      isDisabled: isBrowserDisabled,
    },
    { label: t("engine.device"), ...device },
  ] as const;
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1.5 font-medium">{label}</legend>
      {note ? <p className="-mt-1.5 text-ink-3 text-sm">{note}</p> : null}
      {options.map((option) => (
        <div key={option.engine} className="grid grid-cols-[auto_1fr] gap-x-2.5">
          <input
            type="radio"
            id={`${id}-${option.engine}`}
            name={id}
            checked={value === option.engine}
            disabled={option.isDisabled}
            onChange={() => onChange(option.engine)}
            aria-describedby={`${id}-${option.engine}-hint`}
            className="touch-target mt-1 size-4 accent-(--ink)"
          />
          <label htmlFor={`${id}-${option.engine}`} className="cursor-pointer">
            {option.label}
          </label>
          <div
            id={`${id}-${option.engine}-hint`}
            className="col-start-2 text-pretty text-ink-3 text-sm"
          >
            {option.hint}
          </div>
        </div>
      ))}
    </fieldset>
  );
}

/** Where the browser recognises, with the download that keeps speech on this device. */
function LanguagePackText() {
  const t = useT();
  const pack = useValue(languagePack);
  useEffect(() => void checkLanguagePack(), []);
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
            <Button size="small" onClick={() => void downloadLanguagePack()}>
              {t("engine.packDownload")}
            </Button>
            {t("engine.packDownloadHint")}
          </span>
        </>
      );
  }
}
