import { type RefObject, useCallback, useState } from "react";
import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession, RowBlock } from "#client/realtime/session-types.ts";
import type { Columns } from "#client/ui/bilingual.tsx";
import { Announcer } from "./announcer.tsx";
import { LiveLine } from "./live-line.tsx";
import { useT } from "./messages/index.ts";
import { currentDialog } from "./open-dialog.ts";
import { RowBlockView } from "./row-block.tsx";
import type { RowEditing } from "./row-editor.tsx";
import { RowTools } from "./row-tools.tsx";
import { findRowAt, useRows } from "./use-rows.ts";

export { MoreMenu } from "./more-menu.tsx";

const getPositionWithin = (block: RowBlock, position: number | null) =>
  position !== null && position >= block.from && position < block.from + block.rows.length
    ? position
    : null;

interface TranscriptRowsProps {
  session: RecordingSession;
  columns: Columns;
  /** The scrolling element; it receives the keys. */
  page: RefObject<HTMLElement | null>;
  stopFollowing: () => void;
}

export default function TranscriptRows({
  session,
  columns,
  page,
  stopFollowing,
}: TranscriptRowsProps) {
  const t = useT();
  const targetLanguage = useField(session.view, "targetLanguage");
  const names = useField(session.view, "speakerNames");
  const blocks = useValue(session.transcript.blocks);
  const [editing, setEditing] = useState<number | null>(null);

  const edit = useCallback(
    (position: number) => {
      // New sentences must not scroll the edited row away.
      stopFollowing();
      setEditing(position);
    },
    [stopFollowing],
  );
  const finish = useCallback<RowEditing["finish"]>(
    (position, change) => {
      const focusedRow = document.activeElement?.closest("[data-row]");
      const hasFocus = focusedRow != null && page.current?.contains(focusedRow) === true;
      setEditing((current) => (current === position ? null : current));
      if (change) session.correctRow(position, change);
      // Keeps the focus on this row, unless the editing ended by a click elsewhere.
      if (hasFocus)
        requestAnimationFrame(() => page.current && findRowAt(page.current, position)?.focus());
    },
    [session, page],
  );
  const canRetry = useCallback(
    (position: number) => session.canRetryTranslation(position, targetLanguage),
    [session, targetLanguage],
  );
  useRows(page, {
    edit,
    retry: (position) => session.retryTranslation(position),
    rename: (speaker) => currentDialog.set({ kind: "speakers", first: speaker }),
  });

  return (
    <>
      <RowTools edit={edit}>
        {blocks.map((block, index) => (
          <RowBlockView
            key={block.from}
            block={block}
            columns={columns}
            previousRow={blocks[index - 1]?.rows.at(-1)}
            names={names}
            rename={t("record.nameSpeakers")}
            canRetry={canRetry}
            editing={getPositionWithin(block, editing)}
            finish={finish}
          />
        ))}
        <LiveLine
          transcript={session.transcript}
          columns={columns}
          target={targetLanguage}
          previousRow={blocks.at(-1)?.rows.at(-1)}
          names={names}
        />
      </RowTools>
      <Announcer transcript={session.transcript} />
    </>
  );
}
