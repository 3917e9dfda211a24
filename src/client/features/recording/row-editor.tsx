import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { TranscriptRow } from "#client/realtime/types.ts";
import {
  BilingualRow,
  type Columns,
  englishClass,
  type TextLanguage,
  translationClass,
} from "#client/ui/bilingual.tsx";
import { entryTextMaxLength } from "#shared/limits.ts";
import { useT } from "./messages/index.ts";

/** Where a corrected row goes. */
export interface RowEditing {
  /** `change` is null when nothing is to be kept. */
  finish: (position: number, change: ReturnType<typeof getCorrection>) => void;
}

interface RowEditorProps extends RowEditing {
  row: TranscriptRow;
  columns: Columns;
  time: string | null;
  isNewSpeaker: boolean;
  translation: TextLanguage | null;
}

/** Set as the text was, on a sheet of its own. Inside the block, which would cut off an outline. */
const fieldClass =
  "block w-full resize-none bg-sheet py-0 shadow-[0_1px_0_var(--rule-strong)] rounded-none outline-none [field-sizing:content] focus:shadow-[0_2px_0_var(--seal)]";

/** A row with its two texts as fields, set as it was. Leaving it keeps what was typed; Escape does not. */
export function RowEditor({
  row,
  columns,
  time,
  isNewSpeaker,
  translation,
  finish,
}: RowEditorProps) {
  const t = useT();
  const hint = useId();
  const first = useRef<HTMLTextAreaElement>(null);
  const done = useRef(false);
  // Another device may change the row under the open fields: what counts as typed is measured by this.
  const [initialRow] = useState(row);
  const [english, setEnglish] = useState(initialRow.english);
  const [translated, setTranslated] = useState(() => getShownTranslation(initialRow));

  useEffect(() => {
    const field = first.current;
    field?.focus({ preventScroll: true });
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);

  function finishEditing(keep: boolean) {
    if (done.current) return;
    done.current = true;
    finish(row.position, keep ? getCorrection(initialRow, { english, translated }) : null);
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const enter = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!enter && event.key !== "Escape") return;
    event.preventDefault();
    finishEditing(enter);
  }

  return (
    <BilingualRow columns={columns} time={time} isNewSpeaker={isNewSpeaker} position={row.position}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it listens for what its fields do */}
      <div
        className="contents"
        onKeyDown={handleKeyDown}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) finishEditing(true);
        }}
      >
        <textarea
          ref={first}
          lang="en"
          rows={1}
          aria-label={t("record.english")}
          aria-describedby={hint}
          maxLength={entryTextMaxLength}
          value={english}
          onChange={(event) => setEnglish(event.target.value)}
          className={`${englishClass} ${fieldClass}`}
        />
        {columns === "two" ? (
          <textarea
            {...translation}
            rows={1}
            aria-label={t("record.correctTranslation")}
            aria-describedby={hint}
            maxLength={entryTextMaxLength}
            value={translated}
            onChange={(event) => setTranslated(event.target.value)}
            className={`${translationClass} ${fieldClass}`}
          />
        ) : null}
        <p id={hint} className="text-ink-3 text-xs book:col-start-2">
          {t("record.correctHint")}
        </p>
      </div>
    </BilingualRow>
  );
}

/** What stands in the field for a translation; nothing where there is none yet. */
const getShownTranslation = (row: TranscriptRow): string =>
  row.translation === "done" ? row.translated : "";

/** A row is one line, however it was typed. */
const oneLine = (text: string) => text.replace(/\s+/g, " ").trim();

/** What a person changed in `row`; null when that is nothing. A blank field changes nothing. */
export function getCorrection(
  row: TranscriptRow,
  typed: { english: string; translated: string },
): { english?: string; translated?: string } | null {
  const english = oneLine(typed.english);
  const translated = oneLine(typed.translated);
  const change = {
    ...(english !== "" && english !== row.english && { english }),
    ...(translated !== "" && translated !== getShownTranslation(row) && { translated }),
  };
  return Object.keys(change).length > 0 ? change : null;
}
