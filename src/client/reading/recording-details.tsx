import { useLanguage } from "#client/i18n/bundle.ts";
import { formatLength } from "#client/i18n/gap-texts.ts";
import type { LectureDocument, RecordedView } from "#client/lecture/lecture-document.ts";
import { formatClock, formatMoment } from "#client/lib/dates.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { getWaitingMs, type RecordedTake } from "#shared/recorded-take.ts";
import { useT } from "./recording-messages/index.ts";

const parts = ["captured", "acknowledged", "transcribed", "missing"] as const;
const codecNames: Record<RecordedTake["codec"], string> = { opus: "Opus", pcm_s16le: "PCM" };

const sum = (takes: readonly RecordedTake[], part: (typeof parts)[number]) =>
  takes.reduce((total, take) => total + take[`${part}Ms`], 0);

interface RecordingDetailsProps {
  lecture: LectureDocument;
  recorded: RecordedView;
}

/** What became of the sound of a lecture, for each take and in all. */
export default function RecordingDetails({ lecture, recorded }: RecordingDetailsProps) {
  const t = useT();
  const language = useLanguage();
  const takes = useValue(recorded.list);
  const isRecording = useField(lecture.view, "status") === "recording";
  if (takes.length === 0) return <p>{t("recordingDetails.none")}</p>;
  const missingMs = sum(takes, "missing");
  const wordlessMs = takes
    .flatMap(({ gaps }) => gaps)
    .reduce((ms, { reason, lengthMs }) => ms + (reason === "noWords" ? (lengthMs ?? 0) : 0), 0);
  const waitingMs = takes.reduce((ms, take) => ms + getWaitingMs(take), 0);
  const length = (ms: number) => ({ length: formatLength(t, ms) });
  return (
    <div className="grid gap-4">
      <div role="status" className="grid gap-1 text-pretty text-ink-2">
        {waitingMs >= 1_000 ? (
          <p>
            {t(
              isRecording ? "recordingDetails.waitingHere" : "recordingDetails.waiting",
              length(waitingMs),
            )}
          </p>
        ) : null}
        {missingMs > 0 ? <p>{t("recordingDetails.someMissing", length(missingMs))}</p> : null}
        {wordlessMs > 0 ? <p>{t("recordingDetails.someWordless", length(wordlessMs))}</p> : null}
        {waitingMs < 1_000 && missingMs === 0 ? <p>{t("recordingDetails.complete")}</p> : null}
      </div>
      <ol className="grid">
        {takes.map((take) => {
          const start = new Date(take.startedAt).toISOString();
          return (
            <li key={take.id} className="border-rule border-t py-3">
              <h3 className="flex justify-between gap-3 font-medium">
                <time dateTime={start}>{formatMoment(start, language)}</time>
                <span className="font-normal text-ink-3">{codecNames[take.codec]}</span>
              </h3>
              <LengthList takes={[take]} />
            </li>
          );
        })}
        {takes.length > 1 ? (
          <li className="border-rule-strong border-t py-3">
            <h3 className="font-medium">{t("recordingDetails.total")}</h3>
            <LengthList takes={takes} />
          </li>
        ) : null}
      </ol>
      <p className="text-pretty text-ink-3 text-sm">{t("recordingDetails.words")}</p>
    </div>
  );
}

function LengthList({ takes }: { takes: readonly RecordedTake[] }) {
  const t = useT();
  return (
    <dl className="tabular mt-1.5 grid grid-cols-4 gap-x-2">
      {parts.map((part) => (
        <div key={part}>
          <dt className="text-ink-3 text-xs">{t(`recordingDetails.${part}`)}</dt>
          <dd>{formatClock(sum(takes, part) / 1_000)}</dd>
        </div>
      ))}
    </dl>
  );
}
