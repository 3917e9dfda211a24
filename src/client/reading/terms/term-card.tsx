import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { useGlossary } from "#client/state/library/glossary.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import type { LookUpInput } from "#client/state/look-up.ts";
import { Button } from "#client/ui/button.tsx";
import { GrowingTextarea } from "#client/ui/growing-textarea.tsx";
import { Select } from "#client/ui/select.tsx";
import { getLanguageName, getTextLanguage, getTranslationTag } from "#shared/languages.ts";
import { termMaxLength, termNoteMaxLength, termTranslationMaxLength } from "#shared/limits.ts";
import { Card } from "./card.tsx";
import { useLookUp } from "./look-up-card.tsx";
import { t as tNow, useT } from "./messages/index.ts";
import { saveTerm, type TermDraft } from "./term-draft.ts";

interface TermCardProps {
  draft: TermDraft;
  /** Asked for the half of the term that is missing; null: nothing is asked. */
  lookUp: LookUpInput | null;
  /** Of the lecture; null: in none. */
  folderId: string | null;
  lectureTitle: string;
  page: RefObject<HTMLElement | null>;
  range: Range;
  onClose: () => void;
}

const fieldClass =
  "touch-target w-full rounded-m border border-rule-control bg-sheet px-3 py-2 text-base transition-colors duration-150 ease-quiet hover:border-rule-strong aria-invalid:border-warn";
const labelClass = "font-medium text-ink-2 text-xs";
/** In the list of folders, where an id is a text. */
const allLectures = "all";

/** Puts a term into a glossary, or changes it there. Nothing is stored before the person says so. */
export function TermCard(props: TermCardProps) {
  const { draft, folderId, page, range, onClose } = props;
  const { existing, into, language } = draft;
  const t = useT();
  const id = useId();
  const interfaceLanguage = useLanguage();
  const { answer } = useLookUp(props.lookUp);
  const found = answer && "found" in answer ? answer.found.translation : "";
  const isSearching = props.lookUp !== null && answer === null;
  // What was found stands in the field until the person writes something else.
  const isTermMissing = draft.term === "";
  const [typedTerm, setTerm] = useState<string | null>(null);
  const [typedTranslation, setTranslation] = useState<string | null>(null);
  const term = typedTerm ?? (isTermMissing ? found.slice(0, termMaxLength) : draft.term);
  const translation = typedTranslation ?? (draft.translation || (isTermMissing ? "" : found));
  const [note, setNote] = useState(existing?.note ?? "");
  const [home, setHome] = useState(existing ? existing.folderId : folderId);
  const [error, setError] = useState<string | null>(null);
  const [isSaving, setSaving] = useState(false);
  const termField = useRef<HTMLInputElement>(null);
  const translationField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const field = isTermMissing ? termField : into === null ? termField : translationField;
    field.current?.focus({ preventScroll: true });
  }, [isTermMissing, into]);

  async function save() {
    const fields = { term: term.trim(), translation: translation.trim(), note: note.trim() };
    if (fields.term === "") {
      setError(t("words.required"));
      termField.current?.focus();
      return;
    }
    if (isSaving) return;
    setSaving(true);
    setError(null);
    try {
      const place = { folderId: home, lectureTitle: props.lectureTitle };
      const undo = await saveTerm(draft, fields, place);
      tellSaved(existing ? "words.changed" : "words.added", fields.term, undo);
      onClose();
    } catch (failure) {
      setError(getErrorMessage(failure));
      setSaving(false);
    }
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return;
    const isField = event.target instanceof HTMLInputElement;
    if (!isField && !event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    void save();
  }

  const termLanguage = getLanguageName(language, interfaceLanguage);
  const targetTag = into && getTranslationTag(into);
  const title = t(existing ? "words.change" : "words.add");
  return (
    <Card title={title} page={page} range={range} onClose={onClose}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it handles the keys of its fields */}
      <div className="contents" onKeyDown={handleKeyDown}>
        <div className="grid gap-1">
          <label htmlFor={`${id}-term`} className={labelClass}>
            {t("words.termIn", { language: termLanguage })}
          </label>
          <input
            ref={termField}
            id={`${id}-term`}
            {...getTextLanguage(language)}
            value={term}
            maxLength={termMaxLength}
            autoComplete="off"
            placeholder={isTermMissing && isSearching ? t("words.searching") : ""}
            aria-invalid={error !== null && term.trim() === "" ? true : undefined}
            onChange={(event) => setTerm(event.target.value)}
            className={fieldClass}
          />
          {isTermMissing ? (
            <RowText
              label={t("words.fromOriginal")}
              text={draft.row.original}
              tag={language}
              onSelect={(text) => setTerm(text.slice(0, termMaxLength))}
            />
          ) : null}
        </div>
        {into && targetTag ? (
          <div className="grid gap-1">
            <label htmlFor={`${id}-translation`} className={labelClass}>
              {t("words.translationIn", {
                language: getLanguageName(targetTag, interfaceLanguage),
              })}
            </label>
            <input
              ref={translationField}
              id={`${id}-translation`}
              {...getTextLanguage(targetTag)}
              value={translation}
              maxLength={termTranslationMaxLength}
              autoComplete="off"
              placeholder={!isTermMissing && isSearching ? t("words.searching") : ""}
              onChange={(event) => setTranslation(event.target.value)}
              className={fieldClass}
            />
            {draft.row.translated && !isTermMissing ? (
              <RowText
                label={t("words.fromTranslation")}
                text={draft.row.translated}
                tag={targetTag}
                onSelect={(text) => setTranslation(text.slice(0, termTranslationMaxLength))}
              />
            ) : null}
          </div>
        ) : null}
        <FolderChoice
          folderId={folderId}
          value={home}
          isLocked={existing !== null}
          onChange={setHome}
        />
        <div className="grid gap-1">
          <label htmlFor={`${id}-note`} className={labelClass}>
            {t("words.note")}
          </label>
          <GrowingTextarea
            id={`${id}-note`}
            dir="auto"
            rows={1}
            value={note}
            maxLength={termNoteMaxLength}
            onChange={(event) => setNote(event.target.value)}
            className={`${fieldClass} max-h-24 resize-none`}
          />
        </div>
        <div className="flex items-center justify-end gap-2">
          <p role="alert" className="mr-auto min-w-0 text-sm text-warn wrap-anywhere">
            {error}
          </p>
          <Button look="ink" size="small" disabled={isSaving} onClick={() => void save()}>
            {t(existing ? "words.saveChange" : "words.save")}
          </Button>
        </div>
      </div>
    </Card>
  );
}

function tellSaved(
  message: "words.added" | "words.changed",
  term: string,
  undo: () => Promise<void>,
) {
  const run = () =>
    undo().then(
      () => toast({ kind: "info", title: tNow("words.undone") }),
      () => toastFailure(tNow("words.undoFailed")),
    );
  toast({
    kind: "success",
    title: tNow(message, { term }),
    action: { label: tNow("words.undo"), run: () => void run() },
  });
}

interface RowTextProps {
  label: string;
  text: string;
  tag: string;
  onSelect: (text: string) => void;
}

/** A text of the row. What is selected in it, also with the keyboard, is taken over. */
function RowText({ label, text, tag, onSelect }: RowTextProps) {
  const id = useId();
  return (
    <label htmlFor={id} className="grid gap-0.5">
      <span className="text-ink-3 text-xs">{label}</span>
      <GrowingTextarea
        id={id}
        readOnly
        rows={2}
        {...getTextLanguage(tag)}
        value={text}
        onSelect={({ currentTarget }) => {
          const { selectionStart, selectionEnd, value } = currentTarget;
          const selected = value.slice(selectionStart, selectionEnd).trim();
          if (selected !== "") onSelect(selected);
        }}
        className="max-h-20 w-full resize-none rounded-s bg-paper-2 px-2.5 py-1.5 text-ink-2 text-sm leading-relaxed"
      />
    </label>
  );
}

interface FolderChoiceProps {
  /** Of the lecture. */
  folderId: string | null;
  value: string | null;
  /** The term stays where it is. */
  isLocked: boolean;
  onChange: (folderId: string | null) => void;
}

/** The folder whose glossary gets the term: the lecture's, one above it, or the whole library's. */
function FolderChoice({ folderId, value, isLocked, onChange }: FolderChoiceProps) {
  const t = useT();
  const { data: glossary } = useGlossary(folderId);
  const { tree } = useFolderTree();
  const getName = (id: string | null) =>
    id === null ? t("words.allLectures") : (tree?.byId.get(id)?.name ?? "…");
  const ids = glossary?.folderIds ?? [...new Set([folderId, null])];
  const options = ids.map((id) => ({ value: id ?? allLectures, label: getName(id) }));
  return (
    <div className="flex items-center gap-2.5">
      <span className={labelClass}>{t("words.folder")}</span>
      {isLocked || options.length === 1 ? (
        <span dir="auto" className="flex h-9 min-w-0 items-center truncate text-sm">
          {getName(value)}
        </span>
      ) : (
        <Select
          label={t("words.folder")}
          value={value ?? allLectures}
          options={options}
          onChange={(next) => onChange(next === allLectures ? null : next)}
          className="min-w-0 flex-1 justify-between"
        />
      )}
    </div>
  );
}
