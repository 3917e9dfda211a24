import { ArrowDown } from "lucide-react";
import { type ReactNode, type RefObject, useEffect, useRef, useState } from "react";
import type { LectureDocument, RowBlock } from "#client/lecture/lecture-document.ts";
import { useField, useLatch, useValue } from "#client/lib/hooks.ts";
import { lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { ToolPlaces, TranscriptRows } from "#client/reading/lazy-parts.tsx";
import { useT } from "#client/reading/messages/index.ts";
import { ColumnTitle, PageTitle } from "#client/reading/page-title.tsx";
import { isFindOpen, noGaps, useLectureKey } from "#client/reading/reading-state.ts";
import { RowsSkeleton } from "#client/reading/rows-skeleton.tsx";
import type { OpenSheetProps } from "#client/reading/sheet.tsx";
import { getShownTexts, originalOnly, type ShownText } from "#client/reading/shown-texts.ts";
import { SummarySheet, useOpenSheet } from "#client/reading/summary.tsx";
import { useFollow } from "#client/reading/use-follow.ts";
import { useColumnNames, usePair } from "#client/reading/use-languages.ts";
import { keepSoundSetting } from "#client/state/keep-sound-setting.ts";
import {
  readingFace,
  readingMode,
  readingSize,
  translationFirst,
} from "#client/state/preferences.ts";
import { BilingualHead, type Columns, pageWidths } from "#client/ui/bilingual.tsx";
import { overlayProps } from "./use-overlay.ts";

const SoundBar = lazyPartAfterPaint(() => import("./player/sound-bar.tsx"), {
  load: async () => (await import("#client/i18n/sound/index.ts")).soundMessages.load(),
});
const loadTools = () => import("./page-tools.tsx");
const PageTools = lazyPartAfterPaint(loadTools, readingDialogMessages);
const FullScreen = lazyPartAfterPaint(async () => ({ default: (await loadTools()).FullScreen }));

const hasTranslation = (blocks: readonly RowBlock[]) =>
  blocks.some((block) => block.rows.some((row) => row.translation !== "none"));

export type ExpandedPart = "transcript" | "summary" | null;

interface ReadingSurfaceProps {
  lecture: LectureDocument;
  /** Gets the scrolling element with the rows. */
  page?: RefObject<HTMLElement | null>;
  /** In place of rows where there are none. */
  empty: (texts: readonly ShownText[]) => ReactNode;
  /** Behind the last row, in place of the sentence being spoken. */
  notice?: ReactNode;
  /** Beside the title in full screen, where the status bar is hidden. */
  status?: ReactNode;
  /** Among the tools in full screen, where the head with the menu is hidden. */
  menu?: ReactNode;
  /** Null while there is nothing to summarise. */
  summary: { signedIn: boolean; opens?: boolean } | null;
  /** The sheet in which the lecture is asked. Null while there is nothing to ask; missing where nobody can ask. */
  ask?: ((sheet: OpenSheetProps) => ReactNode) | null;
  /** The page begins at its top, and not at its end. */
  startsAtTop?: boolean;
  /** A sentence's texts are below each other in a window of any width. */
  isStacked?: boolean;
  /** What is in full screen. */
  expanded: ExpandedPart;
  onExpand: (expanded: ExpandedPart) => void;
  /** Opens the settings of the engines; without it a reader is only told why translations are missing. */
  openSettings?: () => void;
  /** Above the page, with its tools. Without it, and in full screen, they stand above the text. */
  head?: (tools: ReactNode) => ReactNode;
  /** Above the page's lower edge. */
  children?: ReactNode;
}

/** The bilingual page of a lecture: the transcript, its translation beside it, and the live line. */
export function ReadingSurface({
  lecture,
  page: outerPage,
  empty,
  notice,
  status,
  menu,
  summary,
  ask,
  startsAtTop = false,
  isStacked = false,
  expanded: expandedPart,
  onExpand,
  openSettings,
  head,
  children,
}: ReadingSurfaceProps) {
  const t = useT();
  const pair = usePair(lecture);
  const recording = useField(lecture.view, "status") === "recording";
  const loading = useField(lecture.view, "busy") === "loading";
  const blocks = useValue(lecture.transcript.blocks);
  const hasGaps = useValue(lecture.recorded?.gaps ?? noGaps).length > 0;
  const shouldLoadRows = useLatch(recording || loading || blocks.length > 0 || hasGaps);
  const keepSound = useValue(keepSoundSetting);
  const size = useValue(readingSize);
  const serif = useValue(readingFace) === "serif";
  // What is written in a row or a summary must not be saved in the next lecture.
  const lectureKey = useLectureKey(lecture);
  // The text of a recording stands above the controls from its first word on, and stays there, so that Stop moves nothing.
  const [recordedKey, setRecordedKey] = useState<number | null>(null);
  if (recording && recordedKey !== lectureKey) setRecordedKey(lectureKey);
  const standsAtEnd = recording || (recordedKey === lectureKey && blocks.length > 0);
  const panel = useRef<HTMLDivElement>(null);
  const ownPage = useRef<HTMLElement>(null);
  const page = outerPage ?? ownPage;
  const text = useRef<HTMLDivElement>(null);
  const space = useRef<HTMLDivElement>(null);
  const { following, follow, stopFollowing, scrollToTop } = useFollow({ page, text, space });
  useScrollOnOpen(lecture, { recording, startsAtTop }, { follow, scrollToTop });
  const expanded = expandedPart === "transcript";
  const isFinding = useValue(isFindOpen);
  const summaryButton = useRef<HTMLButtonElement>(null);
  const askButton = useRef<HTMLButtonElement>(null);
  const isOffered = { summary: summary !== null, ask: !!ask };
  const { open, setOpen } = useOpenSheet(lecture, lectureKey, isOffered, summary?.opens);

  const names = useColumnNames(pair, blocks);
  const isHeadShown = head !== undefined && !expanded;
  const isTranslated = names.pair !== null || hasTranslation(blocks);
  const shownTexts = getShownTexts(useValue(readingMode), useValue(translationFirst));
  const texts = isTranslated ? shownTexts : originalOnly;
  const columns: Columns = texts.length > 1 && !isStacked ? "two" : "one";
  const title = t("reading.transcript");
  const tools = (
    <PageTools
      fallback={<ToolPlaces />}
      lecture={lecture}
      hasRows={blocks.length > 0}
      sheets={{
        summary: summaryButton,
        ...(ask !== undefined && { ask: askButton }),
      }}
      isOffered={isOffered}
      open={open}
      onOpen={setOpen}
      isTranslated={isTranslated}
      pair={pair}
      names={names}
      expanded={expanded}
      onExpand={(next) => onExpand(next ? "transcript" : null)}
    />
  );

  return (
    <div
      ref={panel}
      data-reading
      {...overlayProps(expanded, title)}
      className={`grid grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] ${expanded ? "fixed inset-0 z-5 bg-paper" : "relative h-full min-h-0"}`}
    >
      {/* At the foot, and the first stop of the keyboard: what is recorded does not wait. Without a height, above all. */}
      <div className="@container absolute inset-x-0 bottom-0 z-1">
        <div className={`relative ${open ? "@min-[62rem]:mr-80 @min-[75rem]:mr-96" : ""}`}>
          {children}
          {following || !recording ? null : <BackToLive onClick={follow} />}
          {keepSound === null || lecture.isReadOnly ? null : (
            <SoundBar lecture={lecture} page={page} />
          )}
        </div>
      </div>
      <FullScreen
        panel={panel}
        expanded={expanded}
        onExpand={(next) => onExpand(next ? "transcript" : null)}
      />
      <div className={expanded ? "hidden" : "relative"}>
        {head?.(isHeadShown ? tools : null)}
        {isHeadShown ? (
          <div
            data-find-place
            className="absolute inset-x-0 top-0 z-3 h-14 bg-paper empty:hidden"
          />
        ) : null}
      </div>
      {/* What scrolls is positioned: each pass of the grid gives the container another height, and in flow the styles of all
          rows are computed again for each. */}
      <div className="relative row-start-2 [container-type:size]">
        <section
          ref={page}
          aria-label={names.pair ? `${title}: ${names.pair}` : title}
          aria-description={t(lecture.isReadOnly ? "reading.keysToRead" : "reading.keys")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
          tabIndex={0}
          data-tools-above={isHeadShown || undefined}
          className={`text-below-head absolute inset-0 overflow-y-auto px-7 -outline-offset-2 @max-[43.75rem]:px-4 pb-[calc(var(--controls-height,6.125rem)+clamp(1.25rem,4cqh,2.5rem))] ${open ? "@min-[62rem]:pr-87 @min-[75rem]:pr-103" : ""}`}
        >
          <div
            className={`@container/rows relative flex min-h-full flex-col ${serif ? "font-reading" : ""}`}
            style={{ fontSize: `${size / 16}rem`, overflowAnchor: "none" }}
          >
            <BilingualHead
              columns={columns}
              first={
                <PageTitle
                  texts={texts}
                  pair={pair}
                  names={names}
                  status={expanded ? status : null}
                />
              }
              second={
                texts[1] ? (
                  <div className={names.pair ? "@max-[62rem]/rows:hidden" : ""}>
                    <ColumnTitle text={texts[1]} pair={pair} names={names} />
                  </div>
                ) : null
              }
              tools={
                isHeadShown ? null : (
                  // The field that finds words takes their place.
                  <div className={`flex items-center ${isFinding ? "invisible" : ""}`}>
                    {expanded ? menu : null}
                    {tools}
                  </div>
                )
              }
            />
            <div
              ref={text}
              className={`mx-auto w-full ${pageWidths[columns]} ${standsAtEnd ? "mt-auto" : ""}`}
            >
              {shouldLoadRows ? (
                <TranscriptRows
                  fallback={blocks.length > 0 ? <RowsSkeleton columns={columns} /> : null}
                  key={lectureKey}
                  lecture={lecture}
                  texts={texts}
                  pair={pair}
                  isTranslated={isTranslated}
                  page={page}
                  stopFollowing={stopFollowing}
                  openSettings={openSettings}
                />
              ) : null}
              {notice}
              {blocks.length === 0 ? empty(texts) : null}
            </div>
            <div ref={space} className="shrink-0" />
          </div>
        </section>
      </div>
      {open === "ask" ? ask?.({ lecture, opener: askButton, onClose: () => setOpen(null) }) : null}
      {summary && open === "summary" ? (
        <SummarySheet
          key={lectureKey}
          lecture={lecture}
          signedIn={summary.signedIn}
          opener={summaryButton}
          expanded={expandedPart === "summary"}
          onExpand={(next) => onExpand(next ? "summary" : null)}
          onClose={() => setOpen(null)}
        />
      ) : null}
    </div>
  );
}

function BackToLive({ onClick }: { onClick: () => void }) {
  const t = useT();
  return (
    <button
      type="button"
      onClick={onClick}
      className="fades touch-target absolute bottom-[max(calc(var(--controls-height,6.125rem)+1.125rem),calc(var(--recap-height,0px)+0.5rem))] left-1/2 z-1 flex -translate-x-1/2 items-center gap-1.5 rounded-full border border-rule bg-sheet px-3.5 py-1.5 font-medium text-ink-2 text-sm shadow-sheet transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
    >
      <ArrowDown className="size-3.5" />
      {t("reading.backToLive")}
    </button>
  );
}

/** Follows a recording until it ends; an opened lecture starts at its beginning. */
function useScrollOnOpen(
  lecture: LectureDocument,
  { recording, startsAtTop }: { recording: boolean; startsAtTop: boolean },
  { follow, scrollToTop }: Pick<ReturnType<typeof useFollow>, "follow" | "scrollToTop">,
): void {
  const starting = useField(lecture.view, "busy") === "starting";
  const lectureId = useField(lecture.view, "lecture")?.id ?? null;
  const shownId = useRef(startsAtTop ? null : lectureId);
  useEffect(() => {
    if (recording) follow();
  }, [recording, follow]);
  useEffect(() => {
    if (shownId.current !== lectureId && !recording && !starting) scrollToTop();
    shownId.current = lectureId;
  }, [lectureId, recording, starting, scrollToTop]);
}
