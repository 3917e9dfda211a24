import { Suspense, useMemo, useSyncExternalStore } from "react";
import { gapMessages } from "#client/i18n/gaps/index.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { Signal, useValue } from "#client/lib/signal.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";
import type { Gap } from "#shared/recorded-take.ts";
import { groupGapsByRow } from "#shared/row-groups.ts";

const GapLine = lazyPart(() => import("./gap-line.tsx"), gapMessages);

const none = new Signal<readonly Gap[]>([]);

export interface Gaps {
  /** By the position of the row before them; -1: before the first row. */
  rows: ReadonlyMap<number, readonly Gap[]>;
  /** After the sentence being spoken. */
  live: readonly Gap[];
}

/** The gaps in a lecture's sound, by the row that they follow. */
export function useGaps({ recorded, transcript }: LectureDocument): Gaps {
  const all = useValue(recorded?.gaps ?? none);
  const blocks = useValue(transcript.blocks);
  const liveStart = useSyncExternalStore(
    transcript.live.subscribe,
    () => transcript.live.get()?.startMs ?? null,
  );
  return useMemo(() => {
    const isLive = ({ atMs }: Gap) => liveStart !== null && atMs > liveStart;
    const rows = all.length > 0 ? blocks.flatMap((block) => block.rows) : [];
    const others = all.filter((gap) => !isLive(gap));
    return { rows: groupGapsByRow(others, rows), live: all.filter(isLive) };
  }, [all, blocks, liveStart]);
}

export function GapLines({ gaps }: { gaps: readonly Gap[] | undefined }) {
  if (gaps === undefined || gaps.length === 0) return null;
  return (
    <Suspense>
      {gaps.map((gap, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line has no state
        <GapLine key={index} gap={gap} />
      ))}
    </Suspense>
  );
}
