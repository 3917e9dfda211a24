import type { Database } from "#server/database.ts";
import { readLecture } from "#server/lectures/queries.ts";
import type { BillingMode } from "#server/subscriptions/queries.ts";
import { readShareById } from "./queries.ts";
import type { RowRange, Source, SourceRow } from "./room/events.ts";

const pageBytes = 1024 * 1024;

/**
 * Reads an active share, its lecture, and the rows in `range`, a long lecture's in pages. `source` is null if the
 * share has ended or its lecture is gone.
 */
export async function readSource(
  db: Database,
  share: { id: string; mode: BillingMode; now: Date },
  range: RowRange | null,
): Promise<{ source: Source | null; rows: SourceRow[] }> {
  const active = await readShareById(db, share);
  if (!active) return { source: null, rows: [] };
  const key = { userId: active.userId, id: active.lectureId };
  const rows: SourceRow[] = [];
  let from: number | null = range?.from ?? 0;
  let source: Source | null = null;
  while (from !== null) {
    const first: number = from;
    const maxRows = range === null ? 1 : range.to === null ? undefined : range.to - first;
    const page = await readLecture(db, {
      ...key,
      from: first,
      maxBytes: pageBytes,
      ...(maxRows === undefined ? {} : { maxRows }),
    });
    if (!page) return { source: null, rows: [] };
    source ??= toSource(active, page);
    if (range === null) break;
    rows.push(...page.entries.map((entry) => ({ ...entry, position: entry.ordinal })));
    from = page.nextCursor;
    if (from !== null && range.to !== null && from >= range.to) break;
  }
  return { source, rows };
}

type ActiveShare = NonNullable<Awaited<ReturnType<typeof readShareById>>>;
type Lecture = NonNullable<Awaited<ReturnType<typeof readLecture>>>;

function toSource(share: ActiveShare, lecture: Lecture): Source {
  const { userId, lectureId, mode, mayCopy, createdAt, recordedAt, slidesVersion } = share;
  const { title, speakerNames, summary, context, status, hasDemoText } = lecture;
  const { sourceLanguage, targetLanguage, isTwoWay } = lecture;
  return {
    userId,
    lectureId,
    mode,
    mayCopy,
    createdAt: createdAt.getTime(),
    recordedAt,
    readersMax: share.readersMax,
    languagesMax: share.languagesMax,
    title,
    speakerNames,
    summary,
    context: context ?? "",
    sourceLanguage,
    targetLanguage,
    isTwoWay,
    ...(slidesVersion !== null && { slides: slidesVersion }),
    ...(hasDemoText && { hasDemoText }),
    isCompleted: status === "completed",
  };
}
