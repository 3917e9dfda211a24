import {
  type KeyboardEvent,
  type MouseEvent,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { oneLine } from "#client/lib/text.ts";
import {
  BilingualRow,
  type Columns,
  getColumnClass,
  originalClass,
  translationClass,
} from "#client/ui/bilingual.tsx";
import { Button } from "#client/ui/button.tsx";
import { GrowingTextarea } from "#client/ui/growing-textarea.tsx";
import { getLanguageName, getTextLanguage, getTranslationTag } from "#shared/languages.ts";
import { entryTextMaxLength } from "#shared/limits.ts";
import { useT } from "./dialog-messages/index.ts";

export interface RowEditing {
  /** Ends the editing of `row`, as it was at first. `change` is null when nothing is to be saved. */
  finish: (row: TranscriptRow, change: ReturnType<typeof getCorrection>) => void;
}

interface RowEditorProps extends RowEditing {
  row: TranscriptRow;
  columns: Columns;
  /** Whether there is a field for the translation. */
  isTranslated: boolean;
  /** The texts stand in each other's column. */
  isSecond: boolean;
  time: string | null;
  isNewParagraph: boolean;
}

/** The look of the text, underlined. The shadow stays inside the block, which would cut off an outline. */
const fieldClass =
  "block w-full resize-none bg-sheet py-0 shadow-[0_1px_0_var(--rule-strong)] rounded-none outline-none focus:shadow-[0_2px_0_var(--ink)]";

/** A row with its two texts as fields, each of one line. Enter or leaving it saves the changes; Escape discards them. */
export function RowEditor({ row, isTranslated, isSecond, finish, ...shape }: RowEditorProps) {
  const t = useT();
  const interfaceLanguage = useLanguage();
  const language = row.translatedInto && getTextLanguage(getTranslationTag(row.translatedInto));
  const hint = useId();
  const first = useRef<HTMLTextAreaElement>(null);
  const done = useRef(false);
  // Another device may change the row meanwhile: the user's changes are relative to this version.
  const [initialRow] = useState(row);
  const [original, setOriginal] = useState(initialRow.original);
  const [translated, setTranslated] = useState(() => getShownTranslation(initialRow));

  useEffect(() => {
    const field = first.current;
    field?.focus({ preventScroll: true });
    field?.setSelectionRange(field.value.length, field.value.length);
  }, []);

  function finishEditing(keep: boolean) {
    if (done.current) return;
    done.current = true;
    finish(initialRow, keep ? getCorrection(initialRow, { original, translated }) : null);
  }

  // The page was left, or the rows were put in another order.
  const saveOnLeave = useEffectEvent(() => {
    const change = getCorrection(initialRow, { original, translated });
    if (change && !done.current) finish(initialRow, change);
  });
  useEffect(() => () => saveOnLeave(), []);

  return (
    <BilingualRow {...shape} position={row.position}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles the events of its fields */}
      <div
        className="contents"
        onKeyDown={(event) => handleEditKeys(event, finishEditing, { isOneLine: true })}
        onBlur={(event) => {
          if (!event.currentTarget.contains(event.relatedTarget)) finishEditing(true);
        }}
      >
        <GrowingTextarea
          ref={first}
          {...getTextLanguage(row.spokenIn)}
          rows={1}
          aria-label={getLanguageName(row.spokenIn, interfaceLanguage)}
          aria-describedby={hint}
          maxLength={entryTextMaxLength}
          value={original}
          onChange={(event) => setOriginal(event.target.value)}
          className={`${originalClass} ${fieldClass} ${getColumnClass(0, isSecond)}`}
        />
        {isTranslated ? (
          <GrowingTextarea
            {...language}
            rows={1}
            aria-label={t("reading.translation")}
            placeholder={t("reading.translation")}
            aria-describedby={hint}
            maxLength={entryTextMaxLength}
            value={translated}
            onChange={(event) => setTranslated(event.target.value)}
            className={`${translationClass} [--field-size:0.97em] ${fieldClass} max-columns:mt-1.5 ${shape.columns === "one" ? "columns:col-start-2" : getColumnClass(1, isSecond)}`}
          />
        ) : null}
        <div className="mt-1.5 flex flex-wrap items-center gap-2 font-ui columns:col-span-2 columns:col-start-2">
          <Button
            look="ink"
            size="small"
            onMouseDown={keepFocus}
            onClick={() => finishEditing(true)}
          >
            {t("reading.save")}
          </Button>
          <Button size="small" onMouseDown={keepFocus} onClick={() => finishEditing(false)}>
            {t("common.cancel")}
          </Button>
          <p id={hint} className="text-ink-3 text-xs pointer-coarse:sr-only">
            {t("reading.correctHint")}
          </p>
        </div>
      </div>
    </BilingualRow>
  );
}

/** Leaving the fields saves, and some browsers give no focus to a button that is pressed. */
const keepFocus = (event: MouseEvent) => event.preventDefault();

/**
 * Ctrl+Enter or ⌘+Enter saves what was typed, in a text of one line Enter alone; Escape discards it. Keys of an input
 * method do neither.
 */
export function handleEditKeys(
  event: KeyboardEvent,
  finish: (isSaved: boolean) => void,
  { isOneLine = false } = {},
): void {
  if (event.nativeEvent.isComposing) return;
  const isSaved = event.key === "Enter" && (isOneLine || event.ctrlKey || event.metaKey);
  if (!isSaved && event.key !== "Escape") return;
  event.preventDefault();
  finish(isSaved);
}

/** The text in the translation's field; empty where there is no translation yet. */
const getShownTranslation = (row: TranscriptRow): string =>
  row.translation === "done" ? row.translated : "";

/** The changes made to `row`; null when there are none. An empty field changes nothing, nor does putting a text on one line. */
export function getCorrection(
  row: TranscriptRow,
  texts: { original: string; translated: string },
): { original?: string; translated?: string } | null {
  const original = oneLine(texts.original);
  const translated = oneLine(texts.translated);
  const change = {
    ...(original !== "" && original !== oneLine(row.original) && { original }),
    ...(translated !== "" && translated !== oneLine(getShownTranslation(row)) && { translated }),
  };
  return Object.keys(change).length > 0 ? change : null;
}
