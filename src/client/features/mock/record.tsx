import { Bold, Heading, Italic, List, Pause, Play, Quote, Underline } from "lucide-react";
import { useEffect, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { browserClock } from "#client/lib/clock.ts";
import { formatClock, formatMoment } from "#client/lib/dates.ts";
import { SpeakerTag } from "#client/ui/bilingual.tsx";
import { Tabs } from "#client/ui/tabs.tsx";
import { Chat } from "./chat.tsx";
import { Shell } from "./layouts.tsx";
import { useT } from "./messages/index.ts";
import { SampleIconButton, useSample } from "./sample.tsx";

const lengthSeconds = 192;

/** A sample recording: transcript, summary and player, with the assistant and notes beside it. */
export function RecordPage() {
  const t = useT();
  const { title, startedAt } = useSample().recording;
  const moment = formatMoment(startedAt, useLanguage());
  const [part, setPart] = useState<"transcript" | "summary">("transcript");
  const [{ position, playing }, setPlayer] = useState({ position: 0, playing: false });
  /** Whole seconds from the start. The player stops at the end. */
  const seek = (next: number, play = playing) =>
    setPlayer({ position: next, playing: play && next < lengthSeconds });

  useEffect(() => {
    if (!playing) return;
    return browserClock.after(1_000, () =>
      setPlayer({ position: position + 1, playing: position + 1 < lengthSeconds }),
    );
  }, [position, playing]);

  return (
    <Shell page="record">
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
              <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
              <p className="tabular mt-1 mb-5 text-ink-3 text-sm">{moment}</p>
              <Tabs
                label={t("mock.record.parts")}
                value={part}
                onChange={setPart}
                tabs={[
                  {
                    value: "transcript",
                    label: t("mock.record.transcript"),
                    panel: <Transcript position={position} onSeek={seek} />,
                  },
                  { value: "summary", label: t("mock.record.summary"), panel: <Summary /> },
                ]}
              />
            </div>
          </article>
          <PlayerBar
            position={position}
            playing={playing}
            onSeek={seek}
            onToggle={() => seek(position < lengthSeconds ? position : 0, !playing)}
          />
        </div>
        <SidePanel />
      </main>
    </Shell>
  );
}

interface PositionProps {
  /** The player's position, in seconds. */
  position: number;
  onSeek: (position: number) => void;
}

/** The sentences of the sample recording. The current one is marked; a click on one seeks to it. */
function Transcript({ position, onSeek }: PositionProps) {
  const { sentences } = useSample().recording;
  const current = sentences.findLastIndex(({ start }) => start <= position);
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
            <span className="wrap-anywhere">
              {speaker === sentences[index - 1]?.speaker ? null : <SpeakerTag speaker={speaker} />}
              {text}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}

function Summary() {
  const t = useT();
  const { summary } = useSample().recording;
  return (
    <div className="max-w-[40em] text-md leading-[1.75]">
      {(["overview", "points", "tasks"] as const).map((name) => (
        <section key={name} className="mb-8">
          <h2 className="mb-2.5 font-[550] text-ink-3 text-sm">{t(`mock.summary.${name}`)}</h2>
          {name === "overview" ? (
            <p>{summary.overview}</p>
          ) : (
            <ul className="grid list-disc gap-1.5 pl-5 marker:text-ink-3">
              {summary[name].map((line) => (
                <li key={line}>{line}</li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </div>
  );
}

type PlayerBarProps = PositionProps & { playing: boolean; onToggle: () => void };

/** The controls of a player without sound: only its position advances. */
function PlayerBar({ position, playing, onSeek, onToggle }: PlayerBarProps) {
  const t = useT();
  const Icon = playing ? Pause : Play;
  const action = t(playing ? "mock.player.pause" : "mock.player.play");
  const length = formatClock(lengthSeconds);
  return (
    <section
      aria-label={t("mock.player.label")}
      className="sticky bottom-0 z-1 border-rule border-t bg-paper px-7 py-2.5 max-book:px-4"
    >
      <div className="mx-auto flex max-w-190 items-center gap-4 max-sm:gap-3">
        <button
          type="button"
          aria-label={action}
          title={action}
          onClick={onToggle}
          className="grid size-11 shrink-0 place-items-center rounded-full bg-ink text-paper transition-colors duration-150 ease-quiet hover:bg-ink-2"
        >
          <Icon className="size-4.5 fill-current" />
        </button>
        <span className="tabular w-9 shrink-0 text-right text-ink-2 text-sm">
          {formatClock(position)}
        </span>
        <input
          type="range"
          aria-label={t("mock.player.position")}
          aria-valuetext={t("mock.player.at", { position: formatClock(position), length })}
          min={0}
          max={lengthSeconds}
          step={1}
          value={position}
          onChange={(event) => onSeek(event.target.valueAsNumber)}
          className="touch-target h-6 min-w-0 flex-1 cursor-pointer accent-ink"
        />
        <span className="tabular w-9 shrink-0 text-ink-3 text-sm">{length}</span>
      </div>
    </section>
  );
}

const formats = [
  ["mock.notes.bold", Bold],
  ["mock.notes.italic", Italic],
  ["mock.notes.underline", Underline],
  ["mock.notes.heading", Heading],
  ["mock.notes.list", List],
  ["mock.notes.quote", Quote],
] as const;

/** The assistant, and plain-text notes: the format buttons only say that they are samples. */
function SidePanel() {
  const t = useT();
  const [part, setPart] = useState<"chat" | "notes">("chat");
  const [notes, setNotes] = useState("");
  const notesPanel = (
    <div className="grid h-full min-h-0 grid-rows-[auto_minmax(0,1fr)]">
      <fieldset className="flex flex-wrap gap-0.5 border-rule border-b px-3 py-1.5 [&_svg]:size-4">
        <legend className="sr-only">{t("mock.notes.formatting")}</legend>
        {formats.map(([label, Icon]) => (
          <SampleIconButton key={label} label={label} Icon={Icon} />
        ))}
      </fieldset>
      <textarea
        aria-label={t("mock.notes.field")}
        placeholder={t("mock.notes.placeholder")}
        value={notes}
        onChange={(event) => setNotes(event.target.value)}
        className="-outline-offset-2 resize-none bg-transparent px-5 py-4 text-md leading-[1.7]"
      />
    </div>
  );
  return (
    <aside
      aria-label={t("mock.panel.label")}
      className="min-h-0 border-rule bg-paper-2 max-desk:h-130 max-desk:border-t desk:border-l"
    >
      <Tabs
        fill
        width="even"
        label={t("mock.panel.label")}
        value={part}
        onChange={setPart}
        tabs={[
          { value: "chat", label: t("mock.panel.chat"), panel: <Chat /> },
          { value: "notes", label: t("mock.panel.notes"), panel: notesPanel },
        ]}
      />
    </aside>
  );
}
