import { memo } from "react";
import { languages, type TranslationLanguage } from "../../../shared/languages.ts";
import type { Lecture } from "../../../shared/lecture.ts";
import { useT } from "../../i18n/index.ts";
import { formatClock } from "../../lib/dates.ts";
import { pairTexts } from "../../realtime/transcript/pairing.ts";
import {
  BilingualHead,
  BilingualRow,
  englishClass,
  SpeakerTag,
  speakerName,
  type TextLanguage,
  translationClass,
} from "../../ui/bilingual.tsx";

interface Entry {
  english: string;
  translated: string;
  translatedInto: TranslationLanguage | null;
  speaker: string | null;
  /** Null where the lecture has no times. */
  startMs: number | null;
}

const blockSize = 50;

/** The lecture's sentences; without entries, its texts paired by position. */
function entriesOf(lecture: Lecture): Entry[] {
  if (lecture.entries.length > 0) return lecture.entries;
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

/** A kept lecture, to be read: English and its translation, sentence by sentence. */
export const EntryPages = memo(function EntryPages({ lecture }: { lecture: Lecture }) {
  const t = useT();
  const entries = entriesOf(lecture);
  if (entries.length === 0) return <p className="text-ink-2">{t("detail.noTranscript")}</p>;
  const target = lecture.targetLanguage === "none" ? null : languages[lecture.targetLanguage];
  const translation = target && { name: target.ownName, lang: target.tag, dir: target.dir };
  const bilingual = translation ?? (entries.some((entry) => entry.translated) ? unknown : null);
  return (
    <div className="text-[1.0625rem]">
      <BilingualHead
        columns={bilingual ? "two" : "one"}
        english={t("record.english")}
        translation={translation}
      />
      {blocksOf(entries).map((block, index) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: a block is its place in the lecture
          key={index}
          className="[contain-intrinsic-size:auto_3000px] [content-visibility:auto]"
        >
          {block.map((entry, row) => (
            <EntryRow
              // biome-ignore lint/suspicious/noArrayIndexKey: a sentence is its place in the lecture
              key={row}
              entry={entry}
              previous={entries[index * blockSize + row - 1] ?? null}
              language={bilingual && (ownLanguage(entry) ?? bilingual)}
              names={lecture.speakerNames}
            />
          ))}
        </div>
      ))}
    </div>
  );
});

/** A row keeps the language that it was translated into. */
const ownLanguage = ({ translatedInto }: Entry): TextLanguage | null =>
  translatedInto && { lang: languages[translatedInto].tag, dir: languages[translatedInto].dir };

const unknown: TextLanguage = { lang: "", dir: "ltr" };

interface EntryRowProps {
  entry: Entry;
  previous: Entry | null;
  language: TextLanguage | null;
  names: Lecture["speakerNames"];
}

function EntryRow({ entry, previous, language, names }: EntryRowProps) {
  const turn = entry.speaker !== null && entry.speaker !== previous?.speaker;
  return (
    <BilingualRow
      columns={language ? "two" : "one"}
      time={entry.startMs === null ? null : formatClock(entry.startMs / 1000)}
      turn={turn && previous !== null}
    >
      <p lang="en" className={englishClass}>
        {turn && entry.speaker !== null ? (
          <SpeakerTag speaker={entry.speaker} name={speakerName(names, entry.speaker)} />
        ) : null}
        {entry.english}
      </p>
      {language ? (
        <p lang={language.lang} dir={language.dir} className={translationClass}>
          {entry.translated}
        </p>
      ) : null}
    </BilingualRow>
  );
}
