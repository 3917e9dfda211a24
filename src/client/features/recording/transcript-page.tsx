import { ArrowDown } from "lucide-react";
import { type ReactNode, Suspense, useEffect, useRef } from "react";
import { useLatch } from "#client/lib/latch.ts";
import { useField, useValue } from "#client/lib/signal.ts";
import type { RecordingSession, RowBlock } from "#client/realtime/session-types.ts";
import { readingFace, readingSize } from "#client/state/preferences.ts";
import { BilingualHead, type Columns } from "#client/ui/bilingual.tsx";
import { languages } from "#shared/languages.ts";
import { EmptyState, RowsSkeleton } from "./empty-state.tsx";
import { TranscriptRows } from "./load-transcript-rows.ts";
import { useT } from "./messages/index.ts";
import { PageTitle, PageTools } from "./page-head.tsx";
import { useToastOffset } from "./toast-offset.ts";
import { useFollow } from "./use-follow.ts";
import { overlayProps, useOverlay } from "./use-overlay.ts";

const hasTranslation = (blocks: readonly RowBlock[]) =>
  blocks.some((block) => block.rows.some((row) => row.translation !== "none"));

interface TranscriptPageProps {
  session: RecordingSession;
  /** In full screen. */
  expanded: boolean;
  onExpand: (expanded: boolean) => void;
  /** Above the page's lower edge. */
  children?: ReactNode;
}

/** The bilingual page: the transcript, its translation beside it, and the live line. */
export function TranscriptPage({ session, expanded, onExpand, children }: TranscriptPageProps) {
  const t = useT();
  const targetLanguage = useField(session.view, "targetLanguage");
  const recording = useField(session.view, "status") === "recording";
  const loading = useField(session.view, "busy") === "loading";
  const blocks = useValue(session.transcript.blocks);
  const shouldLoadRows = useLatch(recording || loading || blocks.length > 0);
  const size = useValue(readingSize);
  const serif = useValue(readingFace) === "serif";
  const panel = useRef<HTMLDivElement>(null);
  const page = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { following, follow, stopFollowing, scrollToTop } = useFollow(page, content);
  useScrollOnOpen(session, follow, scrollToTop);
  useOverlay(panel, expanded, () => onExpand(false));

  const target = targetLanguage === "none" ? null : languages[targetLanguage];
  const columns: Columns = target || hasTranslation(blocks) ? "two" : "one";
  const translation = target && { name: target.ownName, lang: target.tag, dir: target.dir };
  const pair = target ? t("record.pair", { language: t(`target.${targetLanguage}`) }) : null;
  const title = t("record.transcript");

  return (
    <div
      ref={panel}
      {...overlayProps(expanded, title)}
      className={expanded ? "fixed inset-0 z-5 bg-paper" : "relative h-full min-h-0"}
    >
      <section
        ref={page}
        aria-label={pair ? `${title}: ${pair}` : title}
        aria-description={t("record.keys")}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="h-full overflow-y-auto px-7 pb-37 -outline-offset-2 max-book:px-4"
      >
        <div
          ref={content}
          className={`relative mx-auto max-w-275 ${serif ? "font-reading" : ""}`}
          style={{ fontSize: `${size / 16}rem`, overflowAnchor: following ? "none" : "auto" }}
        >
          <BilingualHead
            columns={columns}
            english={<PageTitle session={session} title={title} pair={pair} expanded={expanded} />}
            translation={translation}
            tools={
              <PageTools
                rows={blocks.length > 0}
                page={page}
                expanded={expanded}
                onExpand={onExpand}
              />
            }
          />
          {shouldLoadRows ? (
            <Suspense fallback={blocks.length > 0 ? <RowsSkeleton columns={columns} /> : null}>
              <TranscriptRows
                session={session}
                columns={columns}
                page={page}
                stopFollowing={stopFollowing}
              />
            </Suspense>
          ) : null}
          {blocks.length === 0 ? <EmptyState session={session} columns={columns} /> : null}
        </div>
      </section>
      {following || !recording ? null : <BackToLive onClick={follow} />}
      {children}
    </div>
  );
}

function BackToLive({ onClick }: { onClick: () => void }) {
  const t = useT();
  const box = useRef<HTMLButtonElement>(null);
  useToastOffset("--back-to-live", box);
  return (
    <button
      ref={box}
      type="button"
      onClick={onClick}
      className="touch-target absolute bottom-25 left-1/2 z-1 flex -translate-x-1/2 items-center gap-1.5 rounded-full border border-rule bg-sheet px-3.5 py-1.5 font-medium text-ink-2 text-sm shadow-sheet transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
    >
      <ArrowDown className="size-3.5" aria-hidden="true" />
      {t("record.backToLive")}
    </button>
  );
}

/** Follows the end of a recording; an opened lecture starts at its beginning. */
function useScrollOnOpen(
  session: RecordingSession,
  follow: () => void,
  scrollToTop: () => void,
): void {
  const recording = useField(session.view, "status") === "recording";
  const starting = useField(session.view, "busy") === "starting";
  const lectureId = useField(session.view, "lecture")?.id ?? null;
  const shownId = useRef(lectureId);
  useEffect(() => {
    if (recording) follow();
  }, [recording, follow]);
  useEffect(() => {
    if (shownId.current !== lectureId && !recording && !starting) scrollToTop();
    shownId.current = lectureId;
  }, [lectureId, recording, starting, scrollToTop]);
}
