import { CalendarPlus, Copy } from "lucide-react";
import { useEffect, useId, useRef, useState } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument, TranscriptRow } from "#client/lecture/lecture-document.ts";
import { formatActionItem, formatTaskList } from "#client/lib/action-item-text.ts";
import { formatDay, formatWeekday } from "#client/lib/dates.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { toSafeName } from "#client/lib/file-names.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { copyText, toast, toastFailure } from "#client/lib/notifications.ts";
import { CitedRows } from "#client/reading/answers/statement-list.tsx";
import { openRow } from "#client/reading/search-target.ts";
import { findActionItems } from "#client/state/action-items.ts";
import { download } from "#client/state/download.ts";
import { IconButton } from "#client/ui/button.tsx";
import { TextButton } from "#client/ui/text-button.tsx";
import type { ActionItem } from "#shared/action-item.ts";
import { getTextLanguage, unknownTextLanguage } from "#shared/languages.ts";
import { toCalendarFile } from "./calendar-file.ts";
import { ItemForm } from "./item-form.tsx";
import { useT } from "./messages/index.ts";

interface ActionItemsProps {
  lecture: LectureDocument;
  /** Shows the text, where the list has its place. */
  showText: () => void;
}

/** The rows on which an item rests: one that was recognised again is found by its time. */
function findRows({ rows }: ActionItem, all: readonly TranscriptRow[]): TranscriptRow[] {
  const found = rows.flatMap(
    ({ id, startMs }) =>
      all.find((row) => row.id === id) ??
      (startMs > 0 ? (all.find((row) => row.startMs === startMs) ?? []) : []),
  );
  return [...new Set(found)];
}

/** Who is to do what until when, as far as somebody has said so. It is looked for when a person asks for it. */
export default function ActionItems({ lecture, showText }: ActionItemsProps) {
  const t = useT();
  const listId = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  const wasEditedId = useRef<string>(null);
  const items = useValue(lecture.actionItems);
  const info = useField(lecture.view, "lecture");
  const blocks = useValue(lecture.transcript.blocks);
  const [editedId, setEditedId] = useState<string | null>(null);
  const search = useSearch(lecture);
  const rows = blocks.flatMap((block) => block.rows);

  // Whoever has left the form goes on where it was opened.
  useEffect(() => {
    const left = wasEditedId.current;
    wasEditedId.current = editedId;
    if (left === null || editedId !== null) return;
    (document.getElementById(`${listId}-${left}`) ?? heading.current)?.focus();
  }, [editedId, listId]);

  const change = (id: string, changed: Partial<ActionItem>) =>
    lecture.setActionItems(
      lecture.actionItems.get().map((item) => (item.id === id ? { ...item, ...changed } : item)),
    );

  function remove(removed: ActionItem) {
    setEditedId(null);
    const before = lecture.actionItems.get();
    const at = before.findIndex(({ id }) => id === removed.id);
    lecture.setActionItems(before.filter(({ id }) => id !== removed.id));
    const undo = () => {
      const now = lecture.actionItems.get().filter(({ id }) => id !== removed.id);
      lecture.setActionItems([...now.slice(0, at), removed, ...now.slice(at)]);
    };
    toast({
      kind: "info",
      title: t("actions.removed"),
      action: { label: t("actions.undo"), run: undo },
    });
  }

  const copy = () => {
    const list = items.map((item) => ({ text: formatActionItem(item), isDone: item.isDone }));
    void copyText(`${formatTaskList(list)}\n`, t("actions.copied"), [t("actions.copyFailed")]);
  };

  function saveCalendar() {
    if (info === null) return;
    const url = `${location.origin}/record?lecture=${info.id}`;
    const entries = items.map((item) => {
      const own = findRows(item, rows);
      return {
        ...item,
        notes: [...own.map(({ original }) => original), item.due ?? "", info.title],
        url: own[0] ? `${url}&row=${own[0].ordinal}` : url,
      };
    });
    const file = new Blob([toCalendarFile(entries, new Date())], {
      type: "text/calendar;charset=utf-8",
    });
    void download(file, `${toSafeName(info.title, t("actions.title"))}.ics`);
  }

  return (
    <section aria-labelledby={listId} className="mt-7 grid gap-3 border-rule border-t pt-4">
      <div className="flex min-h-9 items-center gap-0.5">
        <h2
          ref={heading}
          id={listId}
          tabIndex={-1}
          className="mr-auto font-semibold text-ink-2 text-sm outline-none"
        >
          {t("actions.title")}
        </h2>
        {items.length > 0 ? (
          <>
            <IconButton icon={Copy} label={t("actions.copy")} onClick={copy} />
            <IconButton
              icon={CalendarPlus}
              label={t("actions.calendar")}
              disabled={info === null}
              onClick={saveCalendar}
            />
          </>
        ) : null}
      </div>
      {items.length > 0 ? (
        <ul className="grid gap-3">
          {items.map((item) =>
            item.id === editedId ? (
              <li key={item.id}>
                <ItemForm
                  item={item}
                  onSave={(changed) => {
                    change(item.id, { ...changed, byHand: true });
                    setEditedId(null);
                  }}
                  onRemove={() => remove(item)}
                  onCancel={() => setEditedId(null)}
                />
              </li>
            ) : (
              <Item
                key={item.id}
                id={`${listId}-${item.id}`}
                item={item}
                rows={findRows(item, rows)}
                lectureId={info?.id ?? ""}
                onTick={(isDone) => change(item.id, { isDone })}
                onEdit={() => setEditedId(item.id)}
                showText={showText}
              />
            ),
          )}
        </ul>
      ) : null}
      <p role="status" className="text-pretty text-ink-2 text-sm empty:hidden">
        {search.isRunning ? t("actions.finding") : null}
        {search.result ? (
          <>
            <span className={items.length > 0 ? "sr-only" : ""}>
              {items.length > 0 ? t("actions.count", { count: items.length }) : t("actions.none")}
            </span>{" "}
            {search.result.leftOut > 0
              ? t("actions.leftOut", { count: search.result.leftOut })
              : null}
          </>
        ) : null}
      </p>
      {search.isRunning ? null : (
        <TextButton onClick={() => void search.start()} className="justify-self-start text-ink-2">
          {t(items.length > 0 ? "actions.again" : "actions.find")}
        </TextButton>
      )}
    </section>
  );
}

/** Looks for items once for each call of `start`; leaving the lecture ends it. */
function useSearch(lecture: LectureDocument) {
  const t = useT();
  const [isRunning, setRunning] = useState(false);
  const [result, setResult] = useState<{ leftOut: number } | null>(null);
  const call = useRef<AbortController>(null);
  useEffect(() => () => call.current?.abort(), []);

  async function start() {
    const controller = new AbortController();
    call.current = controller;
    const { signal } = controller;
    setRunning(true);
    setResult(null);
    try {
      if (!(await lecture.saveNow()))
        return toastFailure(t("actions.failed"), t("actions.notSaved"));
      const { id } = lecture.view.get().lecture ?? {};
      if (id === undefined || signal.aborted) return;
      const { items, leftOut } = await findActionItems(id, signal);
      if (signal.aborted) return;
      // The server has stored them. Saved from here, they are in the copies of this device as well.
      lecture.setActionItems(items);
      setResult({ leftOut });
    } catch (failure) {
      if (!signal.aborted) toastFailure(t("actions.failed"), getErrorMessage(failure));
    } finally {
      if (!signal.aborted) setRunning(false);
    }
  }
  return { isRunning, result, start };
}

interface ItemProps {
  /** Of the button that changes it. */
  id: string;
  item: ActionItem;
  rows: readonly TranscriptRow[];
  lectureId: string;
  onTick: (isDone: boolean) => void;
  onEdit: () => void;
  showText: () => void;
}

function Item({ id, item, rows, lectureId, onTick, onEdit, showText }: ItemProps) {
  const t = useT();
  const { task, isDone, byHand } = item;
  const [row] = rows;
  const language = row && !byHand ? getTextLanguage(row.spokenIn) : unknownTextLanguage;
  const cited = rows.map(
    ({ ordinal, startMs, original, spokenIn, translated, translatedInto }) => ({
      lectureId,
      title: "",
      position: ordinal,
      startMs,
      original,
      spokenIn,
      translated,
      translatedInto,
    }),
  );
  return (
    <li className="grid grid-cols-[2.25rem_minmax(0,1fr)]">
      <label className="touch-target -ml-2 grid size-9 cursor-pointer place-items-center self-start">
        <input
          type="checkbox"
          aria-label={t("actions.done", { task })}
          checked={isDone}
          onChange={(event) => onTick(event.target.checked)}
          className="size-4.5 cursor-pointer accent-ink"
        />
      </label>
      <div className="grid min-w-0 justify-items-start gap-0.5 pt-1.5">
        <button
          type="button"
          id={id}
          aria-label={t("actions.edit", { task })}
          onClick={onEdit}
          className="touch-reach -mx-1.5 min-w-0 rounded-s px-1.5 text-left hover:bg-paper-3"
        >
          <span
            {...language}
            className={`text-pretty wrap-anywhere leading-relaxed ${isDone ? "text-ink-3 line-through" : ""}`}
          >
            {task}
          </span>
        </button>
        <About item={item} />
        <CitedRows
          rows={cited}
          onOpen={(one) => {
            showText();
            openRow(one);
          }}
        />
      </div>
    </li>
  );
}

/** Who does it, and until when: the day, and the words that were said. */
function About({ item: { who, due, dueOn } }: { item: ActionItem }) {
  const t = useT();
  const language = useLanguage();
  // At noon it is this day in the browser's own time zone.
  const noon = `${dueOn}T12:00`;
  const day =
    dueOn === null
      ? null
      : t("actions.day", {
          weekday: formatWeekday(noon, language),
          day: formatDay(noon, language),
        });
  const time =
    due === null
      ? day
      : day === null
        ? t("actions.said", { words: due })
        : t("actions.dueSaid", { day, words: due });
  if (who === null && time === null) return null;
  return (
    <p className="text-ink-2 text-sm wrap-anywhere">
      {who === null ? null : (
        <bdi lang="" translate="no" className="font-medium">
          {who}
        </bdi>
      )}
      {who !== null && time !== null ? " · " : null}
      {time === null ? null : <bdi>{time}</bdi>}
    </p>
  );
}
