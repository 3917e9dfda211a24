import { memo, type RefObject, useEffect, useMemo, useRef } from "react";
import { formatClock } from "#client/lib/dates.ts";
import { pairTexts } from "#client/realtime/transcript/pair-texts.ts";
import {
  BilingualHead,
  BilingualRow,
  englishClass,
  findSpeakerName,
  SpeakerTag,
  type TextLanguage,
  translationClass,
} from "#client/ui/bilingual.tsx";
import { HighlightedText, highlightExcerpt } from "#client/ui/highlighted-text.tsx";
import { languages, type TranslationLanguage } from "#shared/languages.ts";
import type { Lecture } from "#shared/lecture.ts";
import type { MarkedText, SearchHit } from "#shared/search.ts";
import { useT } from "./messages/index.ts";
import type { ScrollTarget } from "./scroll-target.ts";

interface Entry {
  english: string;
  translated: string;
  translatedInto: TranslationLanguage | null;
  speaker: string | null;
  /** Null without times: in a lecture of plain texts, or imported from a file without times. */
  startMs: number | null;
}

const blockSize = 50;

function listEntries(lecture: Lecture): Entry[] {
  if (lecture.entries.length > 0)
    return lecture.entries.map((entry) =>
      entry.endMs === 0 ? { ...entry, startMs: null } : entry,
    );
  return pairTexts(lecture.originalText, lecture.translatedText).map((pair) => ({
    ...pair,
    translatedInto: null,
    startMs: null,
  }));
}

function splitIntoBlocks(entries: Entry[]): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / blockSize) }, (_, index) =>
    entries.slice(index * blockSize, (index + 1) * blockSize),
  );
}

/** Index of the entry to scroll to; -1 for none. */
function findTargetRow(target: ScrollTarget | null, entries: readonly Entry[]): number {
  if (target?.place.type === "row")
    return target.place.row < entries.length ? target.place.row : -1;
  if (target?.place.type !== "text" || target.hit?.kind !== "text") return -1;
  const excerpt = target.hit.text.join("");
  // The server splits texts at white space only, so one excerpt may span several rows.
  const overlaps = (text: string) =>
    text !== "" && (text.includes(excerpt) || excerpt.includes(text));
  return entries.findIndex(({ english, translated }) => overlaps(english) || overlaps(translated));
}

interface LectureTranscriptProps {
  lecture: Lecture;
  scrollTarget: ScrollTarget | null;
}

/** A stored lecture for reading: English and its translation, sentence by sentence. */
export const LectureTranscript = memo(function LectureTranscript({
  lecture,
  scrollTarget,
}: LectureTranscriptProps) {
  const t = useT();
  const page = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => listEntries(lecture), [lecture]);
  const targetRow = useMemo(() => findTargetRow(scrollTarget, entries), [scrollTarget, entries]);
  useScrollToRow(page, targetRow);
  if (entries.length === 0) return <p className="text-ink-2">{t("lecture.noTranscript")}</p>;
  const target = lecture.targetLanguage === "none" ? null : languages[lecture.targetLanguage];
  const translation = target && { name: target.ownName, lang: target.tag, dir: target.dir };
  const bilingual =
    translation ?? (entries.some((entry) => entry.translated) ? unknownLanguage : null);
  const targetBlock = targetRow === -1 ? -2 : Math.floor(targetRow / blockSize);
  return (
    <div ref={page} className="text-[1.0625rem]">
      <BilingualHead
        columns={bilingual ? "two" : "one"}
        first={t("record.english")}
        second={translation}
      />
      {splitIntoBlocks(entries).map((block, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no id
          key={index}
          // Blocks near the target row are always rendered: an estimated height would shift it.
          className={
            Math.abs(index - targetBlock) > 1
              ? "[contain-intrinsic-size:auto_3000px] [content-visibility:auto]"
              : ""
          }
        >
          {block.map((entry, row) => (
            <EntryRow
              // biome-ignore lint/suspicious/noArrayIndexKey: sentences have no id
              key={row}
              entry={entry}
              previous={entries[index * blockSize + row - 1] ?? null}
              language={bilingual && (getEntryLanguage(entry) ?? bilingual)}
              names={lecture.speakerNames}
              highlight={
                scrollTarget && index * blockSize + row === targetRow
                  ? { position: targetRow, hit: scrollTarget.hit }
                  : null
              }
            />
          ))}
        </div>
      ))}
    </div>
  );
});

function useScrollToRow(page: RefObject<HTMLElement | null>, row: number): void {
  useEffect(() => {
    if (row === -1) return;
    // After the router has reset the scroll position.
    const frame = requestAnimationFrame(() => {
      const element = page.current?.querySelector<HTMLElement>(`[data-row="${row}"]`);
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: "center" });
    });
    return () => cancelAnimationFrame(frame);
  }, [page, row]);
}

const getEntryLanguage = ({ translatedInto }: Entry): TextLanguage | null =>
  translatedInto && { lang: languages[translatedInto].tag, dir: languages[translatedInto].dir };

const unknownLanguage: TextLanguage = { lang: "", dir: "ltr" };

function getExcerpts({ position, hit }: NonNullable<EntryRowProps["highlight"]>) {
  if (hit?.kind === "text") return { english: hit.text, translated: hit.text };
  return hit?.kind === "entry" && hit.position === position ? hit : null;
}

interface EntryRowProps {
  entry: Entry;
  previous: Entry | null;
  language: TextLanguage | null;
  names: Lecture["speakerNames"];
  highlight: { position: number; hit: SearchHit | null } | null;
}

function EntryRow({ entry, previous, language, names, highlight }: EntryRowProps) {
  const isTurn = entry.speaker !== null && entry.speaker !== previous?.speaker;
  const excerpts = highlight && getExcerpts(highlight);
  const renderText = (text: string, excerpt: MarkedText | undefined) =>
    excerpt ? <HighlightedText text={highlightExcerpt(text, excerpt)} /> : text;
  const row = (
    <BilingualRow
      columns={language ? "two" : "one"}
      time={entry.startMs === null ? null : formatClock(entry.startMs / 1000)}
      isNewSpeaker={isTurn && previous !== null}
    >
      <p lang="en" className={englishClass}>
        {isTurn && entry.speaker !== null ? (
          <SpeakerTag speaker={entry.speaker} name={findSpeakerName(names, entry.speaker)} />
        ) : null}
        {renderText(entry.english, excerpts?.english)}
      </p>
      {language ? (
        <p lang={language.lang} dir={language.dir} className={translationClass}>
          {renderText(entry.translated, excerpts?.translated)}
        </p>
      ) : null}
    </BilingualRow>
  );
  if (!highlight) return row;
  return (
    <div
      data-row={highlight.position}
      tabIndex={-1}
      className="-mx-3 rounded-s bg-paper-2 px-3 *:border-transparent book:*:py-2.5!"
    >
      {row}
    </div>
  );
}
