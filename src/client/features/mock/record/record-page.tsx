import { Square } from "lucide-react";
import { useReducer, useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { sampleLanguage } from "#client/features/mock/sample.ts";
import { Shell } from "#client/features/mock/shell/shell.tsx";
import { formatClock, formatDay, formatTime } from "#client/lib/dates.ts";
import { SpeakerTag } from "#client/ui/bilingual.tsx";
import { Tabs } from "#client/ui/tabs.tsx";
import { findSentence, initialPlayer, reducePlayer } from "./player.ts";
import { PlayerBar } from "./player-bar.tsx";
import { recordedAt, recordingTitle, sentences, summary } from "./sample.ts";
import { SidePanel } from "./side-panel.tsx";

type Part = "transcript" | "summary";

/** A sample recording: transcript, summary and player, with the assistant and notes beside it. */
export function RecordPage() {
  const t = useT();
  const [part, setPart] = useState<Part>("transcript");
  const [player, dispatch] = useReducer(reducePlayer, initialPlayer);
  return (
    <Shell title="mock.title.record">
      <main
        id="content"
        className="min-h-0 min-w-0 overflow-y-auto desk:grid desk:grid-cols-[minmax(0,1fr)_22rem] desk:overflow-hidden"
      >
        <div className="relative min-h-0 desk:grid desk:grid-rows-[minmax(0,1fr)_auto]">
          <article
            // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
            tabIndex={0}
            className="-outline-offset-2 min-h-0 px-7 pt-6 pb-10 max-book:px-4 max-book:pt-5 desk:overflow-y-auto"
          >
            <div className="mx-auto max-w-190">
              <h1 lang={sampleLanguage} className="font-semibold text-2xl tracking-tight">
                {recordingTitle}
              </h1>
              <p className="tabular mt-1 mb-5 flex gap-3.5 text-ink-3 text-sm">
                <span>{formatDay(recordedAt)}</span>
                <span>{formatTime(recordedAt)}</span>
              </p>
              <Tabs<Part>
                label={t("mock.record.parts")}
                value={part}
                onChange={setPart}
                tabs={[
                  {
                    value: "transcript",
                    label: t("mock.record.transcript"),
                    panel: (
                      <Transcript
                        position={player.position}
                        onSeek={(position) => dispatch({ type: "seek", position })}
                      />
                    ),
                  },
                  { value: "summary", label: t("mock.record.summary"), panel: <Summary /> },
                ]}
              />
            </div>
          </article>
          <PlayerBar player={player} dispatch={dispatch} />
        </div>
        <SidePanel />
      </main>
    </Shell>
  );
}

const starts = sentences.map(({ start }) => start);

interface TranscriptProps {
  /** The player's position, in seconds. */
  position: number;
  onSeek: (position: number) => void;
}

/** The sentences of the sample recording. The current one is marked; a click on one seeks to it. */
function Transcript({ position, onSeek }: TranscriptProps) {
  const current = findSentence(starts, position);
  return (
    <ol className="-mx-3 grid gap-0.5">
      {sentences.map(({ start, speaker, text }, index) => (
        <li key={start}>
          <button
            type="button"
            aria-current={index === current ? "true" : undefined}
            onClick={() => onSeek(start)}
            className="group grid w-full gap-x-4 rounded-m px-3 py-2 text-left text-[1.0625rem] leading-[1.7] transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-2 aria-[current]:bg-paper-3 sm:grid-cols-[2.5rem_minmax(0,1fr)]"
          >
            <span className="tabular pt-[0.35em] text-ink-3 text-xs leading-normal group-aria-[current]:text-ink-2 sm:text-right">
              {formatClock(start)}
            </span>
            <span lang={sampleLanguage} className="wrap-anywhere">
              {speaker === sentences[index - 1]?.speaker ? null : <SpeakerTag speaker={speaker} />}
              {text}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

const headClass = "mt-8 mb-2.5 font-[550] text-ink-3 text-sm first:mt-0";

function Summary() {
  const t = useT();
  return (
    <div className="max-w-[40em] text-md leading-[1.75]">
      <h2 className={headClass}>{t("mock.summary.overview")}</h2>
      <p lang={sampleLanguage}>{summary.overview}</p>
      <h2 className={headClass}>{t("mock.summary.points")}</h2>
      <ul lang={sampleLanguage} className="grid list-disc gap-1.5 pl-5 marker:text-ink-3">
        {summary.points.map((point) => (
          <li key={point}>{point}</li>
        ))}
      </ul>
      <h2 className={headClass}>{t("mock.summary.tasks")}</h2>
      <ul lang={sampleLanguage} className="grid gap-1.5">
        {summary.tasks.map((task) => (
          <li key={task} className="flex items-start gap-2.5">
            <Square className="mt-1.5 size-3.5 shrink-0 text-ink-3" aria-hidden="true" />
            {task}
          </li>
        ))}
      </ul>
    </div>
  );
}
