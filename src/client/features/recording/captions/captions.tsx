import { AArrowDown, AArrowUp } from "lucide-react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import { createRoot } from "react-dom/client";
import { useT } from "#client/features/recording/dialog-messages/index.ts";
import { timeOffer } from "#client/features/recording/screen-state.ts";
import { getRecordLabel } from "#client/features/recording/status.ts";
import { ElapsedTime, Status, StatusWarning } from "#client/features/recording/status-warning.tsx";
import { useLanguage } from "#client/i18n/bundle.ts";
import type { LectureDocument, RowBlock } from "#client/lecture/lecture-document.ts";
import { useField, useValue } from "#client/lib/hooks.ts";
import { getShortcutKey } from "#client/lib/shortcut-key.ts";
import { DemoMark } from "#client/reading/demo-mark.tsx";
import { useT as useReadingT } from "#client/reading/dialog-messages/index.ts";
import { GapLines, useGaps } from "#client/reading/gaps.tsx";
import { LiveLine } from "#client/reading/live-line.tsx";
import { MarkButton } from "#client/reading/marks.tsx";
import { useLectureKey } from "#client/reading/reading-state.ts";
import { RowBlockView } from "#client/reading/row-block.tsx";
import { getShownTexts, originalOnly } from "#client/reading/shown-texts.ts";
import { useColumnNames, usePair } from "#client/reading/use-languages.ts";
import { type Marks, useLiveStart } from "#client/reading/use-marks.ts";
import type { RecordingSession } from "#client/recorder/session-types.ts";
import { readingFace, translationFirst } from "#client/state/preferences.ts";
import { theme } from "#client/state/theme.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { getOpenedFrom, selectRows } from "./caption-rows.ts";
import {
  captionMode,
  captionSize,
  getNextCaptionSize,
  setCaptionSize,
  showNextMode,
} from "./caption-settings.ts";
import { createWindowClock, paceLine } from "./paced-line.ts";
import { useCaptionFollow } from "./use-caption-follow.ts";

/**
 * Shows the captions of `session` in `shown`. They have a React root of their own, so they stay while this tab shows
 * another page. `onClose` is called once the window is closed, by whomever.
 */
export function showCaptions(session: RecordingSession, shown: Window, onClose: () => void): void {
  const box = shown.document.createElement("div");
  shown.document.body.replaceChildren(box);
  const root = createRoot(box, { onUncaughtError: () => shown.close() });
  root.render(<Captions session={session} page={shown.document} close={() => shown.close()} />);
  shown.addEventListener(
    "pagehide",
    () => {
      root.unmount();
      onClose();
    },
    { once: true },
  );
}

interface CaptionsProps {
  session: RecordingSession;
  /** The document of the window. */
  page: Document;
  close: () => void;
}

function Captions({ session, page, close }: CaptionsProps) {
  const t = useT();
  const lecture = useValue(session.lecture);
  const lectureKey = useLectureKey(lecture);
  const hasDemoText = useField(lecture.view, "hasDemoText");
  useLook(page);
  useKeys(page, close);
  return (
    <main
      aria-label={t("captions.title")}
      className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)_auto] bg-paper text-ink"
    >
      <header className="border-rule border-b px-3">
        <div className="flex min-h-10 items-center gap-x-3 overflow-hidden">
          <Status session={session} document={lecture} />
          <ElapsedTime document={lecture} />
          <StatusWarning session={session} />
        </div>
        {hasDemoText ? <DemoMark className="mb-1.5 w-fit" /> : null}
      </header>
      <CaptionText key={lectureKey} lecture={lecture} page={page} />
      <CaptionTools session={session} />
    </main>
  );
}

/** The window follows the page's theme and language. */
function useLook(page: Document): void {
  const t = useT();
  const isDark = useValue(theme) === "dark";
  const language = useLanguage();
  useLayoutEffect(() => {
    page.documentElement.classList.toggle("dark", isDark);
  }, [page, isDark]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: when the language changes
  useLayoutEffect(() => {
    page.documentElement.lang = document.documentElement.lang;
    page.title = t("captions.title");
  }, [page, language]);
}

/** The keys of the window's buttons, and W, which closes it as it opened it. */
function useKeys(page: Document, close: () => void): void {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.repeat || event.altKey || event.ctrlKey || event.metaKey) return;
      const key = getShortcutKey(event);
      if (key === "w") return close();
      const button = [...page.querySelectorAll("button")].find(
        (one) => one.getAttribute("aria-keyshortcuts") === key,
      );
      button?.click();
    };
    page.addEventListener("keydown", handleKey);
    return () => page.removeEventListener("keydown", handleKey);
  }, [page, close]);
}

const noMarks: Marks["rows"] = new Map();
const noSlides = new Map<string, never>();
const noLiveMarks: Marks["live"] = [];
const noRows: ReadonlySet<string> = new Set();
const never = () => false;
const doNothing = () => {};
/** The window has a few rows only: no paragraph ends by their number, which would move them. */
const uncounted = Number.NEGATIVE_INFINITY;

interface CaptionTextProps extends Pick<CaptionsProps, "page"> {
  lecture: LectureDocument;
}

/** The last rows, which cannot be changed here, and the live line. */
function CaptionText({ lecture, page }: CaptionTextProps) {
  const t = useT();
  const r = useReadingT();
  const box = useRef<HTMLElement>(null);
  const text = useRef<HTMLDivElement>(null);
  const space = useRef<HTMLDivElement>(null);
  const pair = usePair(lecture);
  const speakers = useField(lecture.view, "speakerNames");
  const isRecording = useField(lecture.view, "status") === "recording";
  const blocks = useValue(lecture.transcript.blocks);
  const gaps = useGaps(lecture);
  const isLive = useLiveStart(lecture.transcript) !== null;
  const size = useValue(captionSize);
  const [live] = useState(() =>
    paceLine(lecture.transcript, createWindowClock(page.defaultView ?? window)),
  );
  const [openedFrom] = useState(() => getOpenedFrom(blocks));
  const [first, setFirst] = useState(openedFrom);
  // Rows of another lecture may be fewer.
  const from = Math.min(first, getOpenedFrom(blocks));
  const { rows, previousRow } = useMemo(() => selectRows(blocks, from), [blocks, from]);
  const block = useMemo(() => ({ from, rows }), [from, rows]);
  const shownTexts = getShownTexts(useValue(captionMode), useValue(translationFirst));
  const isTranslated = useColumnNames(pair, [block]).pair !== null;
  const hasTranslation = rows.some(({ translation }) => translation !== "none");
  const texts = isTranslated || hasTranslation ? shownTexts : originalOnly;
  useCaptionFollow({ page: box, text, space }, { count: rows.length, showFrom: setFirst });
  return (
    <div className="relative [container-type:size]">
      <section
        ref={box}
        aria-label={r("reading.transcript")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="absolute inset-0 overflow-y-auto px-4 pt-1 pb-3 -outline-offset-2 [overflow-anchor:none]"
      >
        <div
          className={`@container/rows relative flex min-h-full flex-col justify-end ${useValue(readingFace) === "serif" ? "font-reading" : ""}`}
          style={{ fontSize: `${size / 16}rem` }}
        >
          <div ref={text}>
            {rows.length === 0 && !isLive ? (
              <p className="py-2 text-ink-3">
                {t(isRecording ? "record.listening" : "captions.empty")}
              </p>
            ) : null}
            <RowBlockView
              block={block}
              isNearEnd
              texts={texts}
              pair={pair}
              isTranslated={false}
              swapped={noRows}
              marks={noMarks}
              gaps={gaps.rows}
              notSpoken={noRows}
              slides={noSlides}
              // The first row names its speaker.
              sentencesBefore={uncounted}
              previousRow={from === openedFrom ? undefined : previousRow}
              names={speakers}
              rename={undefined}
              sound={undefined}
              canRetry={never}
              chooseText={undefined}
              editing={null}
              finish={doNothing}
              missing={null}
            />
            <LiveLine
              transcript={{ live }}
              marks={noLiveMarks}
              texts={texts}
              pair={pair}
              sentencesBefore={uncounted}
              previousRow={rows.at(-1) ?? previousRow}
              names={speakers}
              caret={isRecording ? "recording" : "hidden"}
            />
            <GapLines gaps={gaps.live} />
          </div>
          <div ref={space} className="shrink-0" />
        </div>
      </section>
    </div>
  );
}

function CaptionTools({ session }: Pick<CaptionsProps, "session">) {
  const t = useT();
  const r = useReadingT();
  const mode = useValue(captionMode);
  const lecture = useValue(session.lecture);
  const names = useColumnNames(usePair(lecture), noBlocks);
  const isReady = useField(lecture.view, "status") === "ready";
  const modeNames = {
    both: r("reading.modeBoth"),
    translation: r("reading.modeTranslation"),
    original: names.originalName,
  };
  return (
    <section
      aria-label={t("record.controls")}
      className="flex min-h-13 items-center gap-1 border-rule border-t px-2"
    >
      <RecordButton session={session} />
      {isReady ? null : <MarkButton lecture={lecture} />}
      <span className="flex-1" />
      {names.pair === null ? null : (
        <Button
          look="quiet"
          size="small"
          aria-label={`${r("reading.mode")}: ${modeNames[mode]}`}
          title={r("reading.mode")}
          onClick={showNextMode}
          className="min-w-0 shrink!"
        >
          <span className="truncate">{modeNames[mode]}</span>
        </Button>
      )}
      <SizeButton step={-1} />
      <SizeButton step={1} />
    </section>
  );
}

const noBlocks: readonly RowBlock[] = [];

/** Stop, or what the page has in its place. No time left: nothing, because the page says what can be done. */
function RecordButton({ session }: Pick<CaptionsProps, "session">) {
  const t = useT();
  const view = useValue(session.view);
  const { busy, canStop } = view;
  const isOutOfTime = useValue(timeOffer) !== null;
  const isStop = view.status === "recording" || canStop;
  if (isOutOfTime && !isStop) return null;
  return (
    <Button
      look={view.lecture?.status === "completed" && !isStop ? "plain" : "seal"}
      size="small"
      className="min-w-20 rounded-full!"
      disabled={isStop ? !canStop : busy !== null}
      aria-keyshortcuts={isStop ? "s" : "r"}
      onClick={({ detail }) => {
        // The second click of a double click must not press what has taken the button's place.
        if (detail < 2) void (isStop ? session.stop() : session.record());
      }}
    >
      {t(isStop ? "record.stop" : getRecordLabel(view))}
    </Button>
  );
}

function SizeButton({ step }: { step: 1 | -1 }) {
  const r = useReadingT();
  const next = getNextCaptionSize(useValue(captionSize), step);
  const Icon = step === 1 ? AArrowUp : AArrowDown;
  return (
    <IconButton
      label={r(step === 1 ? "reading.textLarger" : "reading.textSmaller")}
      disabled={next === null}
      onClick={() => next && setCaptionSize(next)}
    >
      <Icon className="size-4.5" aria-hidden="true" />
    </IconButton>
  );
}
