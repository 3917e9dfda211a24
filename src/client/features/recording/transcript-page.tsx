import { ArrowDown } from "lucide-react";
import { useCallback, useEffect, useRef, useState } from "react";
import { languages } from "../../../shared/languages.ts";
import { useT } from "../../i18n/index.ts";
import { readingFace, readingSize } from "../../lib/preferences.ts";
import { useField, useValue } from "../../lib/signal.ts";
import type { RecordingSession, RowBlock } from "../../realtime/contract.ts";
import { BilingualHead, type Columns } from "../../ui/bilingual.tsx";
import { Announcer } from "./announcer.tsx";
import { asked } from "./asked.ts";
import { Blank } from "./blank.tsx";
import { LiveLine } from "./live-line.tsx";
import { PageTitle, PageTools } from "./page-head.tsx";
import { beforeNext, RowBlockView } from "./row-block.tsx";
import type { RowEditing } from "./row-editor.tsx";
import { RowTools } from "./row-tools.tsx";
import { useFollow } from "./use-follow.ts";
import { rowAt, rowInSight, useRows } from "./use-rows.ts";

const hasTranslation = (blocks: readonly RowBlock[]) =>
  blocks.some((block) => block.rows.some((row) => row.translation !== "none"));

const within = (block: RowBlock, position: number | null) =>
  position !== null && position >= block.from && position < block.from + block.rows.length
    ? position
    : null;

interface TranscriptPageProps {
  session: RecordingSession;
  expanded?: boolean;
  onExpand?: (expanded: boolean) => void;
}

/** The bilingual page: what was said, its translation beside it, and the line that is being spoken. */
export function TranscriptPage({ session, expanded = false, onExpand }: TranscriptPageProps) {
  const t = useT();
  const targetLanguage = useField(session.view, "targetLanguage");
  const names = useField(session.view, "speakerNames");
  const recording = useField(session.view, "status") === "recording";
  const blocks = useValue(session.transcript.blocks);
  const size = useValue(readingSize);
  const serif = useValue(readingFace) === "serif";
  const page = useRef<HTMLElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [editing, setEditing] = useState<number | null>(null);
  const { following, follow, letGo, release } = useFollow(page, content);
  useOpening(session, follow, release);

  const edit = useCallback(
    (position: number) => {
      // What is being corrected must not scroll away under the words that come.
      letGo();
      setEditing(position);
    },
    [letGo],
  );
  const finish = useCallback<RowEditing["finish"]>(
    (position, change) => {
      const focused = document.activeElement?.closest("[data-row]");
      const typing = focused != null && page.current?.contains(focused) === true;
      setEditing((now) => (now === position ? null : now));
      if (change) session.correctRow(position, change);
      // Whoever typed to the end goes on from this row; whoever clicked elsewhere is there already.
      if (typing)
        requestAnimationFrame(() => page.current && rowAt(page.current, position)?.focus());
    },
    [session],
  );
  useRows(page, {
    edit,
    retry: (position) => session.retryTranslation(position),
    rename: (speaker) => asked.set({ kind: "speakers", first: speaker }),
  });

  const target = targetLanguage === "none" ? null : languages[targetLanguage];
  const columns: Columns = target || hasTranslation(blocks) ? "two" : "one";
  const translation = target && { name: target.ownName, lang: target.tag, dir: target.dir };
  const pair = target ? t("record.pair", { language: t(`target.${targetLanguage}`) }) : null;
  const title = t("record.transcript");

  return (
    <div className="relative h-full min-h-0">
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
                expanded={expanded}
                onCorrect={() => page.current && rowInSight(page.current)?.focus()}
                {...(onExpand && { onExpand })}
              />
            }
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
                names={names}
                rename={t("record.nameSpeakers")}
                editing={within(block, editing)}
                finish={finish}
              />
            );
          })}
          <LiveLine
            transcript={session.transcript}
            columns={columns}
            target={targetLanguage}
            before={beforeNext(blocks.at(-1)?.rows.at(-1))}
            names={names}
          />
          <Blank session={session} empty={blocks.length === 0} columns={columns} />
          <RowTools content={content} edit={edit} />
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

/** A recording is followed; a lecture that is opened is read from its beginning. */
function useOpening(session: RecordingSession, follow: () => void, release: () => void): void {
  const recording = useField(session.view, "status") === "recording";
  const starting = useField(session.view, "busy") === "starting";
  const lectureId = useField(session.view, "lecture")?.id ?? null;
  const shownId = useRef(lectureId);
  useEffect(() => {
    if (recording) follow();
  }, [recording, follow]);
  useEffect(() => {
    if (shownId.current !== lectureId && !recording && !starting) release();
    shownId.current = lectureId;
  }, [lectureId, recording, starting, release]);
}
