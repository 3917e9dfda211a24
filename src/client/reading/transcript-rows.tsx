import { type RefObject, useCallback, useState } from "react";
import { useField, useValue } from "#client/lib/signal.ts";
import type { LectureDocument, RowBlock } from "#client/realtime/session-types.ts";
import { Announcer } from "./announcer.tsx";
import { LiveLine } from "./live-line.tsx";
import { useT } from "./messages/index.ts";
import { readingDialog } from "./open-dialog.ts";
import { RowBlockView } from "./row-block.tsx";
import type { RowEditing } from "./row-editor.tsx";
import { RowTools } from "./row-tools.tsx";
import type { ShownText } from "./shown-texts.ts";
import { useRowSwap } from "./use-row-swap.ts";
import { findRowAt, useRows } from "./use-rows.ts";

const getPositionWithin = (block: RowBlock, position: number | null) =>
  position !== null && position >= block.from && position < block.from + block.rows.length
    ? position
    : null;

interface TranscriptRowsProps {
  lecture: LectureDocument;
  texts: readonly ShownText[];
  isTranslated: boolean;
  /** The scrolling element; it receives the keys. */
  page: RefObject<HTMLElement | null>;
  stopFollowing: () => void;
}

export default function TranscriptRows({
  lecture,
  texts,
  isTranslated,
  page,
  stopFollowing,
}: TranscriptRowsProps) {
  const t = useT();
  const targetLanguage = useField(lecture.view, "targetLanguage");
  const names = useField(lecture.view, "speakerNames");
  const blocks = useValue(lecture.transcript.blocks);
  const [editing, setEditing] = useState<number | null>(null);

  const { swapped, announcement } = useRowSwap(page, texts);

  const edit = useCallback(
    (position: number) => {
      if (lecture.isReadOnly) return;
      // New sentences must not scroll the edited row away.
      stopFollowing();
      setEditing(position);
    },
    [lecture, stopFollowing],
  );
  const finish = useCallback<RowEditing["finish"]>(
    (position, change) => {
      const focusedRow = document.activeElement?.closest("[data-row]");
      const hasFocus = focusedRow != null && page.current?.contains(focusedRow) === true;
      setEditing((current) => (current === position ? null : current));
      if (change) lecture.correctRow(position, change);
      // Keeps the focus on this row, unless the editing ended by a click elsewhere.
      if (hasFocus)
        requestAnimationFrame(() => page.current && findRowAt(page.current, position)?.focus());
    },
    [lecture, page],
  );
  const canRetry = useCallback(
    (position: number) => lecture.canRetryTranslation(position, targetLanguage),
    [lecture, targetLanguage],
  );
  useRows(page, {
    edit,
    retry: (position) => lecture.retryTranslation(position),
    rename: (speaker) => readingDialog.set({ kind: "speakers", first: speaker }),
  });

  return (
    <>
      <RowTools edit={lecture.isReadOnly ? null : edit}>
        {blocks.map((block, index) => (
          <RowBlockView
            key={block.from}
            block={block}
            texts={texts}
            isTranslated={isTranslated}
            swapped={swapped}
            previousRow={blocks[index - 1]?.rows.at(-1)}
            names={names}
            rename={lecture.isReadOnly ? undefined : t("reading.nameSpeakers")}
            canRetry={canRetry}
            editing={getPositionWithin(block, editing)}
            finish={finish}
          />
        ))}
        <LiveLine
          transcript={lecture.transcript}
          texts={texts}
          target={targetLanguage}
          previousRow={blocks.at(-1)?.rows.at(-1)}
          names={names}
        />
      </RowTools>
      <Announcer transcript={lecture.transcript} />
      <div ref={announcement} aria-live="polite" className="sr-only" />
    </>
  );
}
