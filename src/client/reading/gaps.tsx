import { EarOff, MicOff } from "lucide-react";
import { useMemo } from "react";
import { formatGap } from "#client/i18n/gap-texts.ts";
import { gapMessages } from "#client/i18n/gaps/index.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import type { Gap } from "#shared/recorded-take.ts";
import { groupGapsByRow } from "#shared/row-groups.ts";
import { noGaps, readingDialog } from "./reading-state.ts";
import { useLiveStart } from "./use-marks.ts";

// Its messages are fetched with the first gap.
const GapLine = lazyPart(async () => ({ default: GapLineContent }), gapMessages);

export interface Gaps {
  /** By the position of the row before them; -1: before the first row. */
  rows: ReadonlyMap<number, readonly Gap[]>;
  /** After the sentence being spoken. */
  live: readonly Gap[];
}

/** The gaps of a lecture, by the row that they follow. */
export function useGaps({ recorded, transcript }: LectureDocument): Gaps {
  const all = useValue(recorded?.gaps ?? noGaps);
  const blocks = useValue(transcript.blocks);
  const liveStart = useLiveStart(transcript);
  return useMemo(() => {
    const isLive = ({ atMs }: Gap) => liveStart !== null && atMs > liveStart;
    const rows = all.length > 0 ? blocks.flatMap((block) => block.rows) : [];
    const others = all.filter((gap) => !isLive(gap));
    return { rows: groupGapsByRow(others, rows), live: all.filter(isLive) };
  }, [all, blocks, liveStart]);
}

interface GapLinesProps {
  gaps: readonly Gap[] | undefined;
  /** Whether there is kept sound at a time; undefined where none is kept, or the lecture cannot be changed. */
  sound?: { hasSoundAt: (ms: number) => boolean } | undefined;
}

export const GapLines = ({ gaps = [], sound }: GapLinesProps) =>
  gaps.map((gap, index) => (
    <GapLine
      // biome-ignore lint/suspicious/noArrayIndexKey: a line has no state
      key={index}
      gap={gap}
      hasSound={sound?.hasSoundAt(gap.atMs) === true}
    />
  ));

/** A time without sound or without words, between the rows. */
function GapLineContent({ gap, hasSound }: { gap: Gap; hasSound: boolean }) {
  const t = gapMessages.useT();
  const Icon = gap.reason === "noWords" ? EarOff : MicOff;
  return (
    <p
      role="note"
      data-gap
      className="-mx-2 flex items-center gap-2 border-rule px-2 py-2.5 font-ui text-ink-3 text-xs max-columns:border-b columns:pl-24"
    >
      <Icon className="size-3.5 shrink-0" />
      <span className="text-pretty">{formatGap(t, gap)}</span>
      {gap.reason === "noWords" && hasSound ? (
        <button
          type="button"
          onClick={() => readingDialog.set({ kind: "again" })}
          className="touch-reach rounded-s underline underline-offset-2 transition-colors duration-150 ease-quiet hover:text-ink"
        >
          {t("gap.again")}
        </button>
      ) : null}
      <span className="h-px min-w-4 flex-1 bg-rule max-columns:hidden" aria-hidden="true" />
    </p>
  );
}
