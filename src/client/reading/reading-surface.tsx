import { ArrowDown } from "lucide-react";
import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useId,
  useRef,
  useState,
} from "react";
import type { LectureDocument, RowBlock } from "#client/lecture/lecture-document.ts";
import { useField, useLatch, useValue } from "#client/lib/hooks.ts";
import { lazyPart, lazyPartAfterPaint } from "#client/lib/lazy.tsx";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { ToolPlaces, TranscriptRows } from "#client/reading/lazy-parts.tsx";
import {
  type PartName,
  PartPanels,
  PartTabs,
  SummaryPart,
  useLectureParts,
} from "#client/reading/lecture-parts.tsx";
import { useT } from "#client/reading/messages/index.ts";
import { ColumnTitle, PageTitle } from "#client/reading/page-title.tsx";
import {
  askControl,
  isFindOpen,
  noGaps,
  type PartProps,
  useLectureKey,
} from "#client/reading/reading-state.ts";
import { RowsSkeleton } from "#client/reading/rows-skeleton.tsx";
import { getShownTexts, originalOnly, type ShownText } from "#client/reading/shown-texts.ts";
import { openSlide } from "#client/reading/slides/slides-state.ts";
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
import { getPanelId, getTabId } from "#client/ui/tabs.tsx";
import { overlayProps } from "./use-overlay.ts";

const SoundBar = lazyPartAfterPaint(() => import("./player/sound-bar.tsx"), {
  load: async () => (await import("#client/i18n/sound/index.ts")).soundMessages.load(),
});
const SlideView = lazyPart(() => import("./slides/slide-view.tsx"), {
  load: async () => (await import("./slides/messages/index.ts")).slideMessages.load(),
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
  /** Beside the title in full screen, where the status bar is hidden. */
  status?: ReactNode;
  /** Among the tools in full screen, where the head with the menu is hidden. */
  menu?: ReactNode;
  /** Null while there is nothing to summarise. */
  summary: { signedIn: boolean; opens?: boolean } | null;
  /** The part in which the lecture is asked. Null while there is nothing to ask; missing where nobody can ask. */
  ask?: ((part: PartProps) => ReactNode) | null;
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
  /** The first thing in the text. */
  opening?: ReactNode;
  /** The last one. */
  ending?: ReactNode;
  /** Opens what has the reading options among others, in place of them. */
  onOptions?: () => void;
  /** Above the page's lower edge. */
  children?: ReactNode;
}

/** The bilingual page of a lecture: the transcript, its translation beside it, and the live line. */
export function ReadingSurface({
  lecture,
  page: outerPage,
  empty,
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
  opening,
  ending,
  onOptions,
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
  const partsId = useId();
  const isOffered = { summary: summary !== null, ask: !!ask };
  const parts = (["summary", "ask"] as const).filter((part) => isOffered[part]);
  const { isWide, open, opened, setOpen } = useLectureParts(
    lecture,
    lectureKey,
    isOffered,
    expandedPart === "summary" ? "summary" : null,
    summary?.opens,
  );
  const hasSlide = useValue(openSlide) !== null;
  const [takesFocus, setTakesFocus] = useState(false);
  // Of a lecture that is being recorded the text is shown; questions come where they are asked for.
  const areTabsShown = !isWide && !expanded && parts.length > 0 && (!recording || open !== null);
  const isTextHidden = !isWide && open !== null;

  function expandSummary(expands: boolean) {
    // In the tab, if the window has become narrow meanwhile.
    if (!expands) setOpen("summary");
    onExpand(expands ? "summary" : null);
  }

  function openPart(next: PartName | null, withFocus = false) {
    setTakesFocus(withFocus);
    setOpen(next);
    if (!isWide && next !== null && expanded) onExpand(null);
    // What had the focus is not shown any more.
    if (next === null) setTimeout(() => page.current?.focus({ preventScroll: true }));
  }
  useAskControl(isOffered.ask, () => openPart(open === "ask" ? null : "ask", true));

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
      // A reader's page has it in its menu, which full screen hides.
      canFind={blocks.length > 0 && (!lecture.isReadOnly || expanded)}
      side={
        isWide && parts[0] && (!recording || open)
          ? { isOpen: open !== null, toggle: () => openPart(open ? null : (parts[0] ?? null)) }
          : null
      }
      isTranslated={isTranslated}
      pair={pair}
      names={names}
      onOptions={onOptions}
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
        <div className="relative">
          {children}
          {following || !recording || isTextHidden ? null : <BackToLive onClick={follow} />}
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
      <div className={expanded ? "hidden" : "relative z-2"}>
        {head?.(isHeadShown ? tools : null)}
        {isHeadShown ? (
          <div
            data-find-place
            className="absolute inset-x-0 top-0 z-3 h-14 bg-paper empty:hidden"
          />
        ) : null}
        {areTabsShown ? <PartTabs id={partsId} parts={parts} open={open} onOpen={setOpen} /> : null}
      </div>
      {/* What scrolls is positioned: each pass of the grid gives the container another height, and in flow the styles of all
          rows are computed again for each. */}
      <div
        {...(areTabsShown && {
          role: "tabpanel",
          id: getPanelId(partsId, "transcript"),
          "aria-labelledby": getTabId(partsId, "transcript"),
        })}
        className={`relative row-start-2 [container-type:size] ${isTextHidden ? "invisible" : ""}`}
      >
        <section
          ref={page}
          aria-label={names.pair ? `${title}: ${names.pair}` : title}
          aria-description={t(lecture.isReadOnly ? "reading.keysToRead" : "reading.keys")}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
          tabIndex={0}
          data-tools-above={isHeadShown || undefined}
          className={`text-below-head absolute inset-0 overflow-y-auto px-7 -outline-offset-2 @max-[43.75rem]:px-4 pb-[calc(var(--controls-height,var(--foot))+clamp(1.25rem,4cqh,2.5rem))] ${isWide && (open || hasSlide) ? "right-90" : ""}`}
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
              className={`mx-auto w-full ${isHeadShown ? "max-columns:pt-3" : ""} ${pageWidths[columns]} ${standsAtEnd ? "mt-auto" : "has-data-introduction:my-auto"}`}
            >
              {opening}
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
                  follow={follow}
                  openSettings={openSettings}
                  hasOpening={opening !== undefined}
                />
              ) : null}
              {blocks.length === 0 ? empty(texts) : null}
              {ending}
            </div>
            <div ref={space} className="shrink-0" />
          </div>
        </section>
      </div>
      {hasSlide ? <SlideView lecture={lecture} isBeside={isWide} /> : null}
      <PartPanels
        key={lectureKey}
        id={partsId}
        parts={parts}
        open={open}
        onOpen={setOpen}
        isWide={isWide}
        opened={opened}
        expanded={expandedPart === "summary"}
        onCollapse={() => expandSummary(false)}
        onClose={() => openPart(null)}
      >
        {(part) => {
          const partProps = { lecture, takesFocus, showText: () => isWide || setOpen(null) };
          if (part === "ask") return ask?.(partProps);
          return summary ? (
            <SummaryPart
              {...partProps}
              signedIn={summary.signedIn}
              expanded={expandedPart === "summary"}
              canExpand={isWide}
              onExpand={expandSummary}
            />
          ) : null;
        }}
      </PartPanels>
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

/** Lets other parts of the page open the questions, and close them. */
function useAskControl(isOffered: boolean, toggle: () => void): void {
  const toggleNow = useEffectEvent(toggle);
  useEffect(() => {
    if (!isOffered) return;
    askControl.set({ toggle: () => toggleNow() });
    return () => askControl.set(null);
  }, [isOffered]);
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
