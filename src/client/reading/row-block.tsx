import { RotateCw } from "lucide-react";
import { memo } from "react";
import { formatClock } from "#client/lib/dates.ts";
import type { RowBlock, SessionView, TranscriptRow } from "#client/realtime/session-types.ts";
import {
  BilingualRow,
  type Columns,
  englishClass,
  findSpeakerName,
  SpeakerTag,
  translationClass,
} from "#client/ui/bilingual.tsx";
import { IconButton } from "#client/ui/button.tsx";
import { languages } from "#shared/languages.ts";
import { useT } from "./messages/index.ts";
import { type RowEditing, RowEditor } from "./row-editor.tsx";

/** A time is shown where a speaker begins, and otherwise once per slot of this length. */
const timeEveryMs = 15_000;

const getTimeSlot = (startMs: number) => Math.floor(startMs / timeEveryMs);

/** What to show at the start of a row or of the live line. A row that ends at 0 was imported without times. */
export function getRowStart(
  line: { speaker: string | null; startMs: number; endMs?: number },
  previousRow: TranscriptRow | undefined,
): { speaker: string | null; time: string | null; isNewSpeaker: boolean } {
  const showsSpeaker = line.speaker !== null && line.speaker !== previousRow?.speaker;
  const isNewSlot = !previousRow || getTimeSlot(line.startMs) !== getTimeSlot(previousRow.startMs);
  const showsTime = line.endMs !== 0 && (showsSpeaker || isNewSlot);
  return {
    speaker: showsSpeaker ? line.speaker : null,
    time: showsTime ? formatClock(line.startMs / 1000) : null,
    isNewSpeaker: showsSpeaker && previousRow !== undefined,
  };
}

interface RowBlockViewProps extends RowEditing {
  block: RowBlock;
  columns: Columns;
  /** The row before the block. */
  previousRow: TranscriptRow | undefined;
  names: SessionView["speakerNames"];
  rename: string;
  /** Whether a failed row can be translated again. */
  canRetry: (position: number) => boolean;
  editing: number | null;
}

/**
 * Up to 50 rows. A block whose rows are all finished does not render again, and costs nothing while out
 * of view. Rows have no event listeners: `useRows` listens for all of them.
 */
export const RowBlockView = memo(function RowBlockView({
  block,
  previousRow,
  editing,
  ...shared
}: RowBlockViewProps) {
  return (
    <div className="[contain-intrinsic-size:auto_2800px] [content-visibility:auto]">
      {block.rows.map((row, index) => (
        <Row
          key={row.position}
          row={row}
          {...getRowStart(row, block.rows[index - 1] ?? previousRow)}
          editing={editing === row.position}
          {...shared}
        />
      ))}
    </div>
  );
});

type RowProps = Omit<RowBlockViewProps, "block" | "previousRow" | "editing"> &
  ReturnType<typeof getRowStart> & { row: TranscriptRow; editing: boolean };

const Row = memo(function Row({
  row,
  speaker,
  names,
  rename,
  canRetry,
  editing,
  finish,
  ...shape
}: RowProps) {
  if (editing) return <RowEditor {...shape} row={row} finish={finish} />;
  return (
    <BilingualRow {...shape} position={row.position}>
      <p lang="en" className={englishClass}>
        {speaker === null ? null : (
          <SpeakerTag speaker={speaker} name={findSpeakerName(names, speaker)} action={rename} />
        )}
        {row.english}
      </p>
      {shape.columns === "two" ? <Translation row={row} canRetry={canRetry} /> : null}
    </BilingualRow>
  );
});

type TranslationProps = Pick<RowProps, "row" | "canRetry">;

function Translation({ row, canRetry }: TranslationProps) {
  const language = row.translatedInto && languages[row.translatedInto];
  switch (row.translation) {
    case "none":
      return <span className="max-book:hidden" />;
    case "waiting":
      return <Waiting />;
    case "failed":
      return <Failed position={row.position} canRetry={canRetry(row.position)} />;
    case "done":
      return (
        <p lang={language?.tag} dir={language?.dir} className={translationClass}>
          {row.translated}
        </p>
      );
  }
}

function Waiting() {
  const t = useT();
  return (
    <p className={translationClass}>
      <span className="sr-only">{t("reading.translating")}</span>
      <span
        aria-hidden="true"
        className="inline-block h-[0.7em] w-24 animate-breathe rounded-full bg-paper-3"
      />
    </p>
  );
}

function Failed({ position, canRetry }: { position: number; canRetry: boolean }) {
  const t = useT();
  return (
    <p className={`${translationClass} flex items-center gap-1.5 text-ink-3`}>
      {t("reading.translationFailed")}
      {canRetry ? (
        <IconButton
          label={t("reading.retryTranslation")}
          className="-my-1 size-7"
          data-retry={position}
        >
          <RotateCw className="size-3.5" aria-hidden="true" />
        </IconButton>
      ) : null}
    </p>
  );
}
