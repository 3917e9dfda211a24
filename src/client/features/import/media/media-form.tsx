import { type FormEvent, useEffect, useState } from "react";
import { toTitle } from "#client/features/import/read-file.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/export-import/index.ts";
import { formatNumber, formatSize } from "#client/lib/text.ts";
import type { MediaSettings } from "#client/recorder/media-import.ts";
import type { SoundTrack } from "#client/sound/media-files/media-file.ts";
import { canHear } from "#client/state/engine-rules.ts";
import { listSpeechEngines, selectSpeechEngine } from "#client/state/engines.ts";
import { openMediaQueue } from "#client/state/media-imports.ts";
import { getStoredLanguages } from "#client/state/preferences.ts";
import { useSiteInfo } from "#client/state/queries.tsx";
import { useSubscription } from "#client/state/subscription.ts";
import { SubmitButtons } from "#client/ui/dialog.tsx";
import { SourceField, TargetField } from "#client/ui/language-fields.tsx";
import { Labelled, Segments } from "#client/ui/segments.tsx";
import { Select } from "#client/ui/select.tsx";
import { TextField } from "#client/ui/text-field.tsx";
import { getLanguageName, type SourceLanguage } from "#shared/languages.ts";
import { getLimitSeconds } from "#shared/plans.ts";
import { describeProblem, formatLength } from "./file-texts.ts";
import { type ProbedFile, useProbedFiles } from "./use-probed-files.ts";

interface MediaFormProps {
  files: readonly File[];
  folderId: string | null;
  onCancel: () => void;
  onStarted: () => void;
}

/** Bytes of a second of stored sound: Opus at 24 kbit/s. */
const bytesPerSecond = 3_000;

type Engine = MediaSettings["engine"];

/** What sound and video files need, before they are read. */
export function MediaForm({ files, folderId, onCancel, onStarted }: MediaFormProps) {
  const t = useT();
  const locale = useLanguage();
  const probed = useProbedFiles(files);
  const { data: info } = useSiteInfo();
  const [pair, setPair] = useState(getStoredLanguages);
  const [chosen, setChosen] = useState<Engine | null>(null);
  const [tracks, setTracks] = useState<ReadonlyMap<File, number>>(new Map());
  /** As the fields have them. */
  const [dates, setDates] = useState<ReadonlyMap<File, string>>(new Map());
  const usual = info ? selectSpeechEngine(info) : "service";
  const others = info
    ? listSpeechEngines(info).filter((engine): engine is Engine => engine !== "browser")
    : [];
  const engine = chosen ?? (usual === "browser" ? (others[0] ?? "device") : usual);
  const isHeard = !info || canHear(engine, pair, info);
  const readable = probed.filter(({ facts }) => facts !== null);
  const isProbing = probed.some(({ facts, problem }) => facts === null && problem === null);
  const getTrack = ({ file, facts }: ProbedFile) => tracks.get(file) ?? facts?.track ?? null;
  const getDate = (one: ProbedFile) => dates.get(one.file) ?? toFieldDate(findRecordingTime(one));
  const seconds = readable.reduce((sum, one) => sum + getLengthMs(one, getTrack(one)) / 1_000, 0);

  const nameSpoken = (one: SourceLanguage) =>
    one === "detect" ? t("media.detect") : getLanguageName(one, locale);

  function submit(event: FormEvent) {
    event.preventDefault();
    const jobs = readable.flatMap((one) => {
      const { file, facts } = one;
      const title = toTitle(file.name) || t("home.untitled");
      const recordedAt = parseFieldDate(getDate(one));
      return facts === null ? [] : { file, facts, track: getTrack(one), title, recordedAt };
    });
    void openMediaQueue()?.add(jobs, { folderId, languages: pair, engine });
    onStarted();
  }

  return (
    <form onSubmit={submit} className="flex min-w-0 flex-col gap-5">
      <ul className="grid max-h-72 gap-2.5 overflow-y-auto rounded-m bg-paper-2 px-3.5 py-2.5">
        {probed.map((one, index) => (
          <FileRow
            // biome-ignore lint/suspicious/noArrayIndexKey: the list does not change
            key={index}
            probed={one}
            track={getTrack(one)}
            onTrack={(track) => setTracks(new Map(tracks).set(one.file, track))}
            date={getDate(one)}
            onDate={(date) => setDates(new Map(dates).set(one.file, date))}
          />
        ))}
      </ul>
      {usual === "browser" && others.length > 0 ? (
        <div className="grid gap-1.5">
          <p className="text-ink-2">{t("media.browserOnlyMicrophone")}</p>
          <Segments<Engine>
            label={t("media.engine")}
            value={engine}
            options={others.map((value) => ({ value, label: t(`media.engine.${value}`) }))}
            onChange={setChosen}
          />
        </div>
      ) : null}
      <SourceField
        label={t("import.spoken")}
        value={pair.sourceLanguage}
        detectLabel={t("media.detect")}
        onChange={(sourceLanguage) => setPair({ ...pair, sourceLanguage, isTwoWay: false })}
      />
      <TargetField
        label={t("import.language")}
        value={pair.targetLanguage}
        spoken={pair.sourceLanguage}
        onChange={(targetLanguage) => setPair({ ...pair, targetLanguage, isTwoWay: false })}
      />
      {isHeard ? null : (
        <p role="alert" className="text-warn text-sm">
          {t("media.notHeard", { language: nameSpoken(pair.sourceLanguage) })}
        </p>
      )}
      {seconds > 0 ? <Needs seconds={seconds} engine={engine} /> : null}
      <SubmitButtons
        label={t("media.start", { count: readable.length })}
        disabled={isProbing || readable.length === 0 || !isHeard}
        cancelLabel={t("import.another")}
        onCancel={onCancel}
      />
    </form>
  );
}

/** Length of the chosen track, ms. */
function getLengthMs({ facts }: ProbedFile, track: number | null): number {
  const chosen = facts?.tracks.find(({ number }) => number === track) ?? facts;
  return chosen?.lengthMs ?? 0;
}

/** When the sound was recorded: by the file's own account, or when the file was last written. */
const findRecordingTime = ({ file, facts }: ProbedFile): number =>
  facts?.recordedAt ?? file.lastModified;

/** Local time as a field for day and time has it. */
function toFieldDate(ms: number): string {
  const offsetMs = new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offsetMs).toISOString().slice(0, 16);
}

/** ISO 8601; null: the field has no date. */
function parseFieldDate(text: string): string | null {
  const date = new Date(text);
  // Years of five digits are no dates of the server.
  return /^\d{4}-/.test(text) && date.getTime() >= 0 ? date.toISOString() : null;
}

interface FileRowProps {
  probed: ProbedFile;
  track: number | null;
  onTrack: (track: number) => void;
  date: string;
  onDate: (date: string) => void;
}

function FileRow({ probed, track, onTrack, date, onDate }: FileRowProps) {
  const t = useT();
  const { file, facts, problem, isFetched } = probed;
  return (
    <li className="grid min-w-0 gap-0.5">
      <p className="truncate font-medium" title={file.name}>
        {file.name}
      </p>
      {problem === null ? (
        <p role="status" className="tabular text-ink-2 text-sm">
          {facts === null
            ? t(isFetched ? "media.fetched" : "media.probing")
            : [formatLength(getLengthMs(probed, track)), formatSize(file.size)].join(" · ")}
        </p>
      ) : (
        <p role="alert" className="text-sm text-warn">
          {describeProblem(t, problem)}
        </p>
      )}
      {facts !== null && track !== null && facts.tracks.length > 1 ? (
        <TrackField tracks={facts.tracks} track={track} onTrack={onTrack} />
      ) : null}
      {facts === null ? null : (
        <TextField
          label={t("media.recordedAt")}
          type="datetime-local"
          value={date}
          onChange={({ target }) => onDate(target.value)}
          className="mt-1"
        />
      )}
    </li>
  );
}

interface TrackFieldProps {
  tracks: readonly SoundTrack[];
  track: number;
  onTrack: (track: number) => void;
}

/** Which of a file's tracks is read. */
function TrackField({ tracks, track, onTrack }: TrackFieldProps) {
  const t = useT();
  const locale = useLanguage();
  const describe = ({ number, name, language, hasSound }: SoundTrack) =>
    [
      t("media.track.number", { number }),
      ...(name === null ? [] : [name]),
      ...(language === null ? [] : [getLanguageName(language, locale)]),
      ...(hasSound ? [] : [t("media.track.silent")]),
    ].join(" · ");
  return (
    <Labelled label={t("media.track")} className="mt-1">
      <Select
        label={t("media.track")}
        value={`${track}`}
        options={tracks.map((one) => ({ value: `${one.number}`, label: describe(one) }))}
        onChange={(number) => onTrack(Number(number))}
        className="w-full justify-between"
      />
    </Labelled>
  );
}

/** What the files take of the month's hours and of this device's storage. */
function Needs({ seconds, engine }: { seconds: number; engine: Engine }) {
  const t = useT();
  const locale = useLanguage();
  const { info, state } = useSubscription();
  const freeBytes = useFreeBytes();
  const neededBytes = seconds * bytesPerSecond;
  const isCharged = engine === "service" || engine === "demo";
  const leftSeconds =
    state === "known" && info.hourLimit !== null
      ? Math.max(0, getLimitSeconds(info) - info.timeUsedThisMonth)
      : null;
  const needed = formatLength(seconds * 1_000);
  const isFull = freeBytes !== null && freeBytes < neededBytes;
  return (
    <div className="grid gap-1 text-ink-2 text-sm">
      {isCharged && leftSeconds !== null ? (
        <p className={leftSeconds < seconds ? "text-warn" : ""}>
          {t(leftSeconds < seconds ? "media.timeShort" : "media.time", {
            needed,
            left: formatNumber(leftSeconds / 3_600, locale, 1),
          })}
        </p>
      ) : null}
      {engine === "device" ? <p>{t("media.onDevice")}</p> : null}
      <p className={isFull ? "text-warn" : ""}>
        {t(isFull ? "media.storageShort" : "media.storage", { size: formatSize(neededBytes) })}
      </p>
    </div>
  );
}

/** Bytes that the browser lets the site store beside what it does; null: it does not say. */
function useFreeBytes(): number | null {
  const [free, setFree] = useState<number | null>(null);
  useEffect(() => {
    const read = async () => {
      const { quota, usage } = (await navigator.storage?.estimate?.()) ?? {};
      if (quota !== undefined) setFree(quota - (usage ?? 0));
    };
    read().catch(() => {});
  }, []);
  return free;
}
