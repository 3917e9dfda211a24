import { useReducer, useState } from "react";
import { useT } from "#client/features/mock/messages/index.ts";
import { sampleLanguage } from "#client/features/mock/sample.ts";
import { Shell } from "#client/features/mock/shell/shell.tsx";
import { formatDay, formatTime } from "#client/lib/dates.ts";
import { Tabs } from "#client/ui/tabs.tsx";
import { initialPlayer, reducePlayer } from "./player.ts";
import { PlayerBar } from "./player-bar.tsx";
import { recordedAt, recordingTitle } from "./sample.ts";
import { SidePanel } from "./side-panel.tsx";
import { Summary } from "./summary.tsx";
import { Transcript } from "./transcript.tsx";

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
