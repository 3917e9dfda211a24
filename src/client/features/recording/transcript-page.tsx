import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useRef } from "react";
import { languages } from "../../../shared/languages.ts";
import { useT } from "../../i18n/index.ts";
import { readingSize } from "../../lib/preferences.ts";
import { useValue } from "../../lib/signal.ts";
import type { RecordingSession, RowBlock } from "../../realtime/contract.ts";
import { BilingualHead, type Columns } from "../../ui/bilingual.tsx";
import { Announcer } from "./announcer.tsx";
import { LiveLine } from "./live-line.tsx";
import { beforeNext, RowBlockView } from "./row-block.tsx";
import { useFollow } from "./use-follow.ts";

const hasTranslation = (blocks: readonly RowBlock[]) =>
  blocks.some((block) => block.rows.some((row) => row.translation !== "none"));

/** The bilingual page: what was said, its translation beside it, and the line that is being spoken. */
export function TranscriptPage({ session }: { session: RecordingSession }) {
  const t = useT();
  const { status, targetLanguage, lecture, busy } = useValue(session.view);
  const blocks = useValue(session.transcript.blocks);
  const size = useValue(readingSize);
  const page = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { following, follow, release } = useFollow(page, content);
  const retry = useCallback((position: number) => session.retryTranslation(position), [session]);

  const recording = status === "recording";
  const starting = busy === "starting";
  const lectureId = lecture?.id ?? null;
  const shownId = useRef(lectureId);
  useEffect(() => {
    if (recording) follow();
  }, [recording, follow]);
  useEffect(() => {
    // A lecture that is opened is read from its beginning.
    if (shownId.current !== lectureId && !recording && !starting) release();
    shownId.current = lectureId;
  }, [lectureId, recording, starting, release]);

  const target = targetLanguage === "none" ? null : languages[targetLanguage];
  const columns: Columns = target || hasTranslation(blocks) ? "two" : "one";
  const translation = target && { name: target.ownName, lang: target.tag, dir: target.dir };

  const pair = t("record.pair", { language: t(`target.${targetLanguage}`) });
  const name = target ? `${t("record.transcript")}: ${pair}` : t("record.transcript");

  return (
    <div className="relative min-h-0">
      <section
        ref={page}
        aria-label={name}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it
        tabIndex={0}
        className="h-full overflow-y-auto px-7 pb-37 -outline-offset-2 max-book:px-4"
      >
        <div
          ref={content}
          className="mx-auto max-w-275"
          style={{ fontSize: `${size / 16}rem`, overflowAnchor: following ? "none" : "auto" }}
        >
          <BilingualHead
            columns={columns}
            english={t("record.english")}
            translation={translation}
          />
          {blocks.map((block, index) => {
            const before = beforeNext(blocks[index - 1]?.rows.at(-1));
            return (
              <RowBlockView
                key={block.from}
                block={block}
                columns={columns}
                speakerBefore={before.speaker}
                stretchBefore={before.stretch}
                retry={retry}
              />
            );
          })}
          <LiveLine
            transcript={session.transcript}
            columns={columns}
            target={targetLanguage}
            before={beforeNext(blocks.at(-1)?.rows.at(-1))}
          />
          <Blank session={session} empty={blocks.length === 0} bilingual={target !== null} />
        </div>
      </section>
      <Announcer transcript={session.transcript} />
      {following || !recording ? null : (
        <button
          type="button"
          onClick={follow}
          className="touch-target absolute bottom-25 left-1/2 z-1 flex -translate-x-1/2 items-center gap-1.5 rounded-full border border-rule bg-sheet px-3.5 py-1.5 font-medium text-ink-2 text-sm shadow-sheet transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
        >
          <ArrowDown className="size-3.5" aria-hidden="true" />
          {t("record.backToLive")}
        </button>
      )}
    </div>
  );
}

interface BlankProps {
  session: RecordingSession;
  /** Nothing was said yet. */
  empty: boolean;
  bilingual: boolean;
}

/** On a page without words: what to do, or that it listens. */
function Blank({ session, empty, bilingual }: BlankProps) {
  const t = useT();
  const { status, busy } = useValue(session.view);
  const live = useValue(session.transcript.live) !== null;
  if (!empty || live || busy === "loading") return null;
  if (status === "recording") {
    return <p className="py-2 text-ink-3 book:pl-22">{t("record.listening")}</p>;
  }
  return (
    <div className="grid max-w-[34em] gap-1.5 py-2 book:pl-22">
      <p className="font-medium">{t("record.emptyTitle")}</p>
      <p className="text-[0.9em] text-ink-2">
        {t(bilingual ? "record.emptyText" : "record.emptyOne")}
      </p>
    </div>
  );
}
