import { Copy, Flag, MessageCircleQuestionMark, X } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTargetName } from "#client/i18n/language-names.ts";
import type { LectureDocument } from "#client/lecture/lecture-document.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { formatClock } from "#client/lib/dates.ts";
import { getErrorMessage } from "#client/lib/error-message.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { copyText } from "#client/lib/notifications.ts";
import { StatementList } from "#client/reading/answers/statement-list.tsx";
import { useEdgeOffset } from "#client/reading/edge-offset.ts";
import { listAnswerLanguages } from "#client/reading/most-spoken.ts";
import { askControl, type PageProps } from "#client/reading/reading-state.ts";
import { openRow, searchTarget } from "#client/reading/search-target.ts";
import { usePair } from "#client/reading/use-languages.ts";
import { useOnline } from "#client/state/offline.ts";
import { readingMode, readingSize } from "#client/state/preferences.ts";
import { NoTranslatorError } from "#client/translation/translator-list.ts";
import { pageWidths } from "#client/ui/bilingual.tsx";
import { Button, IconButton } from "#client/ui/button.tsx";
import { Segments } from "#client/ui/segments.tsx";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { getTextLanguage } from "#shared/languages.ts";
import type { CitedRow } from "#shared/question.ts";
import { useT } from "./messages/index.ts";
import {
  type Absence,
  findLastMarkMs,
  isSameRange,
  type RecapRange,
  recapMinutes,
  selectRows,
} from "./recap-range.ts";
import { formatRecap, type RecapView } from "./recap-state.ts";

interface RecapCardProps extends PageProps {
  view: RecapView;
  absence: Absence | null;
  /** Asks again, also for what is shown. */
  onAsk: (asked?: Partial<Pick<RecapView, "range" | "language">>) => void;
  onClose: () => void;
}

/** The recap, over the page's lower edge. Its height does not change, and nothing of the page moves for it. */
export function RecapCard({ lecture, page, view, absence, onAsk, onClose }: RecapCardProps) {
  const t = useT();
  const box = useRef<HTMLElement>(null);
  const edge = useRef<HTMLDivElement>(null);
  const width = usePageWidth(lecture);
  const place = useRowPlace({ lecture, page });
  const { statements, phase, last, language } = view;
  useEdgeOffset("--recap-height", edge);
  useEffect(() => box.current?.focus({ preventScroll: true }), []);

  return (
    <div
      ref={edge}
      className="absolute inset-x-0 bottom-[calc(var(--controls-height,0px)+0.5rem)] z-1 px-5 @max-[43.75rem]:px-3"
      style={{ fontSize: width.fontSize }}
    >
      <div className={`mx-auto ${width.className}`}>
        <section
          ref={box}
          tabIndex={-1}
          data-part
          aria-label={t("recap.title")}
          onKeyDown={(event) => {
            if (event.key !== "Escape" || event.defaultPrevented) return;
            event.preventDefault();
            onClose();
          }}
          className="grid h-[min(45dvh,25rem)] grid-cols-[minmax(0,1fr)] grid-rows-[auto_auto_minmax(5rem,1fr)_auto] overflow-y-auto overscroll-contain rounded-l border border-rule bg-sheet text-base text-ink shadow-sheet outline-none max-book:h-[48dvh]"
        >
          <div className="flex items-baseline gap-3 pt-2 pr-2.5 pl-5 max-book:pl-4">
            <h2 className="shrink-0 font-semibold text-ink-2 text-sm">{t("recap.title")}</h2>
            {last ? (
              <p className="min-w-0 flex-1 truncate text-ink-3 text-sm">
                {t("recap.upTo", { time: formatClock(last.startMs / 1_000) })}{" "}
                <bdi {...getTextLanguage(last.spokenIn)}>{last.original}</bdi>
              </p>
            ) : (
              <span className="flex-1" />
            )}
            <IconButton
              icon={X}
              iconClass="size-4.5"
              label={t("recap.close")}
              onClick={onClose}
              className="size-8 self-start"
            />
          </div>
          <Choices lecture={lecture} view={view} absence={absence} onAsk={onAsk} />
          <div className="overflow-y-auto overscroll-contain border-rule border-t px-5 py-3 max-book:px-4">
            <p role="status" className="sr-only">
              {phase.kind === "writing" ? t("recap.writing") : null}
              {phase.kind === "done" && last ? t("recap.done", { count: statements.length }) : null}
            </p>
            <StatementList statements={statements} language={language} onOpen={place.open} />
            <End view={view} onRetry={() => onAsk()} />
          </div>
          <Foot lecture={lecture} view={view} onBack={place.back} />
        </section>
      </div>
    </div>
  );
}

const chipClass =
  "touch-target h-8 rounded-full border border-rule-control px-3 max-book:px-2 text-ink-2 text-sm transition-colors duration-150 ease-quiet hover:text-ink aria-pressed:border-transparent aria-pressed:bg-paper-3 aria-pressed:font-[550] aria-pressed:text-ink";

/** Of what time, and in which language. A press on what is chosen asks again, because more has been said since. */
function Choices({ lecture, view, absence, onAsk }: Omit<RecapCardProps, "page" | "onClose">) {
  const t = useT();
  const nameTarget = useTargetName();
  const marks = useValue(lecture.marks);
  const pair = usePair(lecture);
  const markMs = findLastMarkMs(marks);
  const [languages] = useState(() =>
    listAnswerLanguages(pair, selectRows(lecture.transcript.rows(), view.range)),
  );
  const chips: { range: RecapRange; label: string; name?: string }[] = [
    ...recapMinutes.map((minutes) => ({
      range: { kind: "minutes" as const, minutes },
      label: t("recap.minutes", { minutes }),
      name: t("recap.lastMinutes", { minutes }),
    })),
    ...(markMs === null
      ? []
      : [{ range: { kind: "mark" as const, sinceMs: markMs }, label: t("recap.sinceMark") }]),
    ...(absence === null
      ? []
      : [
          {
            range: { kind: "away" as const, sinceMs: absence.sinceMs },
            label: t("recap.sinceAway", { time: formatClock(absence.sinceMs / 1_000) }),
          },
        ]),
  ];
  return (
    <div className="flex flex-wrap items-center gap-1.5 px-5 pt-1 pb-2.5 max-book:px-4">
      <fieldset className="flex min-w-0 flex-wrap gap-1.5 max-book:gap-1">
        <legend className="sr-only">{t("recap.range")}</legend>
        {chips.map(({ range, label, name }) => (
          <button
            key={label}
            type="button"
            aria-pressed={isSameRange(range, view.range)}
            aria-label={name}
            className={chipClass}
            onClick={() => onAsk({ range })}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {languages.length > 1 ? (
        <div className="ml-auto">
          <Segments
            label={t("recap.language")}
            value={view.language}
            options={languages.map((value) => ({ value, label: nameTarget(value) }))}
            onChange={(language) => onAsk({ language })}
          />
        </div>
      ) : null}
    </div>
  );
}

/** Behind the statements: that more is coming, or why not. */
function End({ view, onRetry }: { view: RecapView; onRetry: () => void }) {
  const t = useT();
  const { phase, statements, last } = view;
  if (last === null) return <Line>{t("recap.nothing")}</Line>;
  if (phase.kind === "done") return null;
  if (phase.kind === "failed")
    return (
      <div
        role="alert"
        className={`grid justify-items-start gap-2 ${statements.length > 0 ? "mt-3" : ""}`}
      >
        {statements.length > 0 ? <Line>{t("recap.brokeOff")}</Line> : null}
        <p className="text-pretty text-sm text-warn">
          <Failure failure={phase.failure} />
        </p>
        <Button size="small" onClick={onRetry}>
          {t("common.retry")}
        </Button>
      </div>
    );
  const { progress } = phase;
  if (progress && progress.done < progress.total)
    return <Line>{t("recap.progress", { part: progress.done + 1, total: progress.total })}</Line>;
  if (statements.length > 0) return null;
  return (
    <div aria-hidden="true">
      <Skeleton className="my-1.5 h-4 w-full" />
      <Skeleton className="my-1.5 h-4 w-4/5" />
      <Skeleton className="mt-5 mb-1.5 h-4 w-full" />
      <Skeleton className="my-1.5 h-4 w-2/3" />
    </div>
  );
}

const Line = ({ children }: { children: ReactNode }) => (
  <p className="text-pretty text-ink-3 text-sm">{children}</p>
);

function Failure({ failure }: { failure: unknown }) {
  const t = useT();
  const isOnline = useOnline();
  const code = failure instanceof ApiError ? failure.code : null;
  if (!isOnline) return t("recap.offline");
  if (failure instanceof NoTranslatorError) return t("recap.noModel");
  if (code === "payload_too_large") return t("recap.tooLong");
  return getErrorMessage(failure);
}

interface FootProps extends Pick<RecapCardProps, "lecture" | "view"> {
  /** Null while nothing was opened. */
  onBack: (() => void) | null;
}

function Foot({ lecture, view, onBack }: FootProps) {
  const t = useT();
  const { statements, phase, last } = view;
  const [keptView, setKeptView] = useState<RecapView | null>(null);
  const canKeep = phase.kind !== "writing" && statements.length > 0 && last !== null;
  const isKept = keptView === view;
  const ask = useValue(askControl);
  const time = last ? formatClock(last.startMs / 1_000) : "";
  const format = () => formatRecap(t("recap.noteTitle", { time }), statements);

  function keep() {
    const row = last && lecture.transcript.rows().find(({ id }) => id === last.id);
    const mark = row && lecture.addMark(row.position);
    if (!mark) return;
    lecture.putMark({ ...mark, note: format() });
    setKeptView(view);
  }

  return (
    <div className="flex flex-wrap items-center gap-1.5 border-rule border-t px-3.5 py-2 max-book:px-2.5">
      <Button
        look="quiet"
        size="small"
        disabled={!canKeep || isKept}
        onClick={keep}
        className={footButtonClass}
      >
        <Flag className={`size-4 ${isKept ? "fill-current" : ""}`} />
        {t(isKept ? "recap.kept" : "recap.keep")}
      </Button>
      <Button
        look="quiet"
        size="small"
        disabled={!canKeep}
        className={footButtonClass}
        onClick={() => void copyText(format(), t("recap.copied"), [t("recap.copyFailed")])}
      >
        <Copy className="size-4" />
        {t("recap.copy")}
      </Button>
      {ask ? (
        <Button
          look="quiet"
          size="small"
          aria-keyshortcuts="a"
          onClick={ask.toggle}
          className={footButtonClass}
        >
          <MessageCircleQuestionMark className="size-4" />
          {t("recap.ask")}
        </Button>
      ) : null}
      {onBack ? (
        <Button look="quiet" size="small" className={`ml-auto ${footButtonClass}`} onClick={onBack}>
          {t("recap.back")}
        </Button>
      ) : null}
    </div>
  );
}

const footButtonClass = "px-2! disabled:bg-transparent";

/** Scrolls to rows, which are marked while the card is open, and after a recording back to where the page was. */
function useRowPlace({ lecture, page }: PageProps) {
  const isRecording = useField(lecture.view, "status") === "recording";
  const [topBefore, setTopBefore] = useState<number | null>(null);
  useEffect(() => {
    const box = page.current;
    // A row is shown in the middle of what the card leaves of the page.
    if (box) box.style.scrollPaddingBottom = "var(--recap-height, 0px)";
    return () => {
      if (box) box.style.scrollPaddingBottom = "";
      searchTarget.set(null);
    };
  }, [page]);

  function open(cited: CitedRow) {
    setTopBefore((before) => before ?? page.current?.scrollTop ?? null);
    openRow(cited);
  }
  function back() {
    searchTarget.set(null);
    if (page.current && topBefore !== null) page.current.scrollTop = topBefore;
    setTopBefore(null);
    page.current?.focus({ preventScroll: true });
  }
  // A recording has "Back to live", above the card.
  return { open, back: isRecording || topBefore === null ? null : back };
}

/** The width of the page's text. */
function usePageWidth(lecture: LectureDocument) {
  const { targetLanguage } = usePair(lecture);
  const mode = useValue(readingMode);
  const size = useValue(readingSize);
  const columns = mode === "both" && targetLanguage !== "none" ? "two" : "one";
  return { className: pageWidths[columns], fontSize: `${size / 16}rem` };
}
