import { memo, type RefObject, useEffect, useMemo, useRef } from "react";
import { languages, type TranslationLanguage } from "../../../../shared/languages.ts";
import type { Lecture } from "../../../../shared/lecture.ts";
import { useT } from "../../../i18n/index.ts";
import { formatClock } from "../../../lib/dates.ts";
import { pairTexts } from "../../../realtime/transcript/pairing.ts";
import {
  BilingualHead,
  BilingualRow,
  englishClass,
  SpeakerTag,
  speakerName,
  type TextLanguage,
  translationClass,
} from "../../../ui/bilingual.tsx";
import { bestOf, type Finder } from "../search/mark.ts";
import { Marked } from "../search/marked.tsx";
import type { Landing } from "./landing.ts";

interface Entry {
  english: string;
  translated: string;
  translatedInto: TranslationLanguage | null;
  speaker: string | null;
  /** Null where there is no time: in a lecture of texts alone, or from a file without times. */
  startMs: number | null;
}

const blockSize = 50;

/** The lecture's sentences; without entries, its texts paired by position. */
function entriesOf(lecture: Lecture): Entry[] {
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

function blocksOf(entries: Entry[]): Entry[][] {
  return Array.from({ length: Math.ceil(entries.length / blockSize) }, (_, index) =>
    entries.slice(index * blockSize, (index + 1) * blockSize),
  );
}

/** The row to land on; -1 where there is none. */
function rowOf(landing: Landing | null, entries: readonly Entry[]): number {
  if (landing?.at === "row") return landing.row < entries.length ? landing.row : -1;
  if (landing?.at !== "best") return -1;
  const { find } = landing;
  return bestOf(
    entries.map(({ english, translated }) => `${english} ${translated}`),
    find,
  );
}

interface EntryPagesProps {
  lecture: Lecture;
  landing: Landing | null;
}

/** A kept lecture, to be read: English and its translation, sentence by sentence. */
export const EntryPages = memo(function EntryPages({ lecture, landing }: EntryPagesProps) {
  const t = useT();
  const page = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => entriesOf(lecture), [lecture]);
  const landingRow = useMemo(() => rowOf(landing, entries), [landing, entries]);
  useLanding(page, landingRow);
  if (entries.length === 0) return <p className="text-ink-2">{t("detail.noTranscript")}</p>;
  const target = lecture.targetLanguage === "none" ? null : languages[lecture.targetLanguage];
  const translation = target && { name: target.ownName, lang: target.tag, dir: target.dir };
  const bilingual = translation ?? (entries.some((entry) => entry.translated) ? unknown : null);
  const landingBlock = landingRow === -1 ? -2 : Math.floor(landingRow / blockSize);
  return (
    <div ref={page} className="text-[1.0625rem]">
      <BilingualHead
        columns={bilingual ? "two" : "one"}
        english={t("record.english")}
        translation={translation}
      />
      {blocksOf(entries).map((block, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place in the lecture
          key={index}
          // Round the row to land on heights are measured, so that it stays where it was found.
          className={
            Math.abs(index - landingBlock) > 1
              ? "[contain-intrinsic-size:auto_3000px] [content-visibility:auto]"
              : ""
          }
        >
          {block.map((entry, row) => (
            <EntryRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is its place in the lecture
              key={row}
              entry={entry}
              previous={entries[index * blockSize + row - 1] ?? null}
              language={bilingual && (ownLanguage(entry) ?? bilingual)}
              names={lecture.speakerNames}
              landed={
                landing && index * blockSize + row === landingRow
                  ? { position: landingRow, find: landing.find }
                  : null
              }
            />
          ))}
        </div>
      ))}
    </div>
  );
});

/** Brings row `row` into view and gives it the focus, once for each row that is wanted. */
function useLanding(page: RefObject<HTMLElement | null>, row: number): void {
  useEffect(() => {
    if (row === -1) return;
    // After the router has put the new page to its top.
    const frame = requestAnimationFrame(() => {
      const element = page.current?.querySelector<HTMLElement>(`[data-row="${row}"]`);
      element?.focus({ preventScroll: true });
      element?.scrollIntoView({ block: "center" });
    });
    return () => cancelAnimationFrame(frame);
  }, [page, row]);
}

/** A row keeps the language that it was translated into. */
const ownLanguage = ({ translatedInto }: Entry): TextLanguage | null =>
  translatedInto && { lang: languages[translatedInto].tag, dir: languages[translatedInto].dir };

const unknown: TextLanguage = { lang: "", dir: "ltr" };

interface EntryRowProps {
  entry: Entry;
  previous: Entry | null;
  language: TextLanguage | null;
  names: Lecture["speakerNames"];
  /** This is where to land. */
  landed: { position: number; find: Finder } | null;
}

function EntryRow({ entry, previous, language, names, landed }: EntryRowProps) {
  const turn = entry.speaker !== null && entry.speaker !== previous?.speaker;
  const shown = (text: string) => (landed ? <Marked text={text} find={landed.find} /> : text);
  const row = (
    <BilingualRow
      columns={language ? "two" : "one"}
      time={entry.startMs === null ? null : formatClock(entry.startMs / 1000)}
      turn={turn && previous !== null}
    >
      <p lang="en" className={englishClass}>
        {turn && entry.speaker !== null ? (
          <SpeakerTag speaker={entry.speaker} name={speakerName(names, entry.speaker)} />
        ) : null}
        {shown(entry.english)}
      </p>
      {language ? (
        <p lang={language.lang} dir={language.dir} className={translationClass}>
          {shown(entry.translated)}
        </p>
      ) : null}
    </BilingualRow>
  );
  if (!landed) return row;
  return (
    <div
      data-row={landed.position}
      tabIndex={-1}
      className="-mx-3 rounded-s bg-seal-wash px-3 *:border-transparent book:*:py-2.5!"
    >
      {row}
    </div>
  );
}
