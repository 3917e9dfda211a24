import { useEffect, useState } from "react";
import { useSentenceSpace } from "#client/i18n/bundle.ts";
import { soundMessages } from "#client/i18n/sound/index.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Signal } from "#client/lib/observable.ts";
import { getWantedSound } from "#client/recognition/wanted-sound.ts";
import { browserPorts } from "#client/recorder/browser-ports.ts";
import type { RecordingSession, SessionView } from "#client/recorder/session-types.ts";
import type { MicrophoneDevice } from "#client/sound/capture/audio-ports.ts";
import { MicrophoneDevices } from "#client/sound/capture/devices.ts";
import { givenSound } from "#client/sound/capture/microphone-sound.ts";
import { findCodec } from "#client/sound/codecs/opus-encoder.ts";
import { openSources, soundChoice } from "#client/sound/display/sound-sources.ts";
import { keepSoundSetting } from "#client/state/keep-sound-setting.ts";
import {
  getStoredDiarization,
  getStoredMicrophone,
  storeDiarization,
  storeMicrophone,
} from "#client/state/preferences.ts";
import { rawMicrophones, setRawMicrophone } from "#client/state/raw-microphones.ts";
import { recordingSession } from "#client/state/recording.ts";
import { visitor } from "#client/state/visitor.ts";
import { Select } from "#client/ui/select.tsx";
import { LoadingSkeleton, Skeleton } from "#client/ui/skeleton.tsx";
import { Switch } from "#client/ui/switch.tsx";
import type { AudioCodec } from "#shared/relay.ts";
import { useT } from "./dialog-messages/index.ts";
import { engineListMessages } from "./engine-list-messages/index.ts";
import { SoundChoiceField } from "./sound-choice.tsx";

const KeepSoundSwitch = lazyPart(
  () => import("#client/reading/player/keep-sound-switch.tsx"),
  soundMessages,
);
const EngineSettings = lazyPart(() => import("./engine-settings.tsx"), engineListMessages);

/** Who writes down and translates, and what is heard; also on the page of all settings. */
export function Settings() {
  return (
    <div className="grid gap-5">
      <EngineSettings fallback={enginesSkeleton} />
      <SoundSettings />
    </div>
  );
}

export const SpeechSettings = () => <EngineSettings fallback={enginesSkeleton} />;

/** What is chosen while no recording is open in this tab. */
const stored = new Signal({
  microphoneId: getStoredMicrophone(),
  diarization: getStoredDiarization(),
});

export function SoundSettings() {
  const t = useT();
  const isUser = useValue(visitor).kind === "user";
  const session = useValue(recordingSession);
  const diarization = useField(session?.view ?? stored, "diarization");
  return (
    <>
      <SoundChoiceField />
      <Microphone session={session} />
      <RawSoundSwitch session={session} />
      <Switch
        label={t("settings.diarization")}
        hint={t("settings.diarizationHint")}
        checked={diarization}
        onChange={(on) => {
          storeDiarization(on);
          stored.set({ ...stored.get(), diarization: on });
          session?.setDiarization(on);
        }}
      />
      {isUser ? <KeepSoundSwitch /> : null}
    </>
  );
}

/** As high as the choices, so that nothing below them moves. */
const enginesSkeleton = (
  <LoadingSkeleton className="grid gap-5">
    <Skeleton className="h-45" />
    <Skeleton className="h-40" />
  </LoadingSkeleton>
);

/** The option for the system's default; the other options are device ids. */
const systemDefault = "default-of-the-system";

const noMicrophones = new Signal<readonly MicrophoneDevice[]>([]);

/** The browser's microphones: without a recording nobody else lists them. */
function useMicrophones(session: RecordingSession | null): readonly MicrophoneDevice[] {
  const [devices, setDevices] = useState<MicrophoneDevices | null>(null);
  useEffect(() => {
    if (session !== null) return;
    const opened = new MicrophoneDevices(browserPorts().audio);
    setDevices(opened);
    return () => opened.dispose();
  }, [session]);
  return useValue(session?.microphones ?? devices?.list ?? noMicrophones);
}

/** Of the chosen microphone, as long as the browser lists it. */
function RawSoundSwitch({ session }: { session: RecordingSession | null }) {
  const t = useT();
  const chosenId = useField(session?.view ?? stored, "microphoneId");
  const microphones = useMicrophones(session);
  const raw = useValue(rawMicrophones);
  const choice = useValue(soundChoice);
  // The system's default is the first one.
  const id = chosenId ?? microphones[0]?.id;
  if (id === undefined || choice?.kind === "display") return null;
  return (
    <Switch
      label={t("settings.rawSound")}
      hint={t("settings.rawSoundHint")}
      checked={raw.includes(id)}
      onChange={(on) => setRawMicrophone(id, on)}
    />
  );
}

function Microphone({ session }: { session: RecordingSession | null }) {
  const t = useT();
  const selectedId = useField(session?.view ?? stored, "microphoneId");
  const microphones = useMicrophones(session);
  const choice = useValue(soundChoice);
  const sources = useValue(openSources);
  // A chosen microphone that was unplugged is shown as missing.
  const isMissing = selectedId !== null && !microphones.some(({ id }) => id === selectedId);
  const haveNames = microphones.some(({ label }) => label !== "");
  // Another microphone would mean to choose the tab again.
  if (sources.length > 0)
    return (
      <div className="grid gap-1.5">
        <p className="text-ink-3 text-sm">{t("settings.microphoneLocked")}</p>
        {sources.some(({ kind }) => kind === "microphone") ? <SoundInUse /> : null}
      </div>
    );
  if (choice?.kind === "display") return null;
  return (
    <div className="grid gap-1.5">
      <span className="font-medium">{t("settings.microphone")}</span>
      <Select
        label={t("settings.microphone")}
        value={selectedId ?? systemDefault}
        options={[
          { value: systemDefault, label: t("settings.microphoneDefault") },
          ...microphones.map(({ id, label }, index) => ({
            value: id,
            label: label || t("settings.microphoneNumber", { number: index + 1 }),
          })),
          ...(isMissing ? [{ value: selectedId, label: t("settings.microphoneGone") }] : []),
        ]}
        onChange={(value) => {
          const id = value === systemDefault ? null : value;
          storeMicrophone(id);
          stored.set({ ...stored.get(), microphoneId: id });
          session?.setMicrophone(id);
        }}
        className="w-full justify-between"
      />
      <span className="text-ink-3 text-sm">
        {t(haveNames ? "settings.microphoneHint" : "settings.microphoneNames")}
      </span>
      <SoundInUse />
    </div>
  );
}

/** What the microphone gives that was opened last, and what the engine of the recording gets of it. */
function SoundInUse() {
  const t = useT();
  const given = useValue(givenSound);
  const engine = useField(useValue(recordingSession)?.view ?? noEngine, "speechEngine");
  const keepsSound = useValue(keepSoundSetting) === true;
  const isMixed = useValue(openSources).length > 0;
  const space = useSentenceSpace();
  const [smallest, setSmallest] = useState<AudioCodec>("opus");
  useEffect(() => void findCodec().then(setSmallest), []);
  if (given === null || engine === null) return null;
  const wanted = getWantedSound(engine, keepsSound);
  const codec = wanted.codec === "smallest" ? smallest : wanted.codec;
  const toKilohertz = (rate: number) => ({ rate: rate / 1_000 });
  const processing = given.isProcessed ? "processed" : "raw";
  return (
    <span className="text-ink-3 text-sm">
      {given.rate === null || given.isProcessed === null
        ? t("settings.soundGiven.unknown")
        : t(`settings.soundGiven.${processing}`, toKilohertz(given.rate))}
      {space}
      {wanted.rate === null ? null : t(`settings.soundWanted.${codec}`, toKilohertz(wanted.rate))}
      {wanted.rate === null && !isMixed ? t("settings.soundWanted.track") : null}
    </span>
  );
}

const noEngine = new Signal<Pick<SessionView, "speechEngine">>({ speechEngine: null });
