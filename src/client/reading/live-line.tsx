import type { TranscriptRow, TranscriptView } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import { findSpeakerName } from "#client/lib/text.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import {
  BilingualRow,
  getColumnClass,
  getTone,
  originalClass,
  SpeakerTag,
  translationClass,
} from "#client/ui/bilingual.tsx";
import {
  defaultSourceLanguage,
  getTextLanguage,
  getTranslationLanguage,
  isSecondLanguage,
  type LanguagePair,
} from "#shared/languages.ts";
import type { Mark } from "#shared/lecture.ts";
import { MarkedTime, RowNotes } from "./marks.tsx";
import { getRowStart } from "./row-block.tsx";
import { getRowTexts, type ShownText } from "./shown-texts.ts";
import { getLanguageProps } from "./translation.tsx";

interface LiveLineProps {
  transcript: Pick<TranscriptView, "live">;
  marks: readonly Mark[];
  texts: readonly ShownText[];
  pair: LanguagePair;
  previousRow: TranscriptRow | undefined;
  /** How many sentences of its paragraph are before it. */
  sentencesBefore: number;
  names: SessionView["speakerNames"];
  /** Behind the last word; only a recording has its colour. Hidden, it keeps its width. */
  caret: "recording" | "sample" | "hidden";
}

/** The sentence being spoken: final words in ink, interim ones lighter. Only this component renders per word. */
export function LiveLine({
  transcript,
  marks,
  texts,
  pair,
  previousRow,
  sentencesBefore,
  names,
  caret,
}: LiveLineProps) {
  const live = useValue(transcript.live);
  const spokenIn = live?.spokenIn ?? defaultSourceLanguage;
  const target = getTranslationLanguage(pair, spokenIn);
  const translation = target === null ? "none" : "waiting";
  const shownTexts = getRowTexts(texts, { spokenIn, translation }, pair, false);
  const isSingle = shownTexts.length === 1;
  const isSecond = !isSingle && isSecondLanguage(pair, spokenIn);
  if (!live) return null;
  const { speaker, time, isNewParagraph } = getRowStart(live, previousRow, sentencesBefore);
  const tag =
    speaker === null ? null : (
      <SpeakerTag speaker={speaker} name={findSpeakerName(names, speaker)} />
    );
  return (
    // Another sentence is another line, which has not been elsewhere before.
    <div key={previousRow?.id} data-live-line>
      <BilingualRow
        columns={texts.length > 1 ? "two" : "one"}
        time={
          marks.length > 0 ? (
            <MarkedTime marks={marks}>{formatClock(live.startMs / 1000)}</MarkedTime>
          ) : (
            time
          )
        }
        isNewParagraph={isNewParagraph}
      >
        {shownTexts.map((text, index) => {
          const columnClass = `${getColumnClass(index, isSecond)} ${getTone(index)}`;
          const ownTag = index === 0 ? tag : null;
          return text === "original" ? (
            <p
              key={text}
              {...getTextLanguage(spokenIn)}
              className={`${originalClass} ${columnClass}`}
            >
              {ownTag}
              {live.finalText}
              <span className="text-ink-live">{live.interimText}</span>
              <Caret kind={caret} />
            </p>
          ) : target === null ? null : (
            <p
              key={text}
              {...getLanguageProps(target)}
              className={`${translationClass} ${columnClass}`}
            >
              {ownTag}
              <span className="text-ink-live">{live.preview}</span>
              {isSingle ? <Caret kind={caret} /> : null}
            </p>
          );
        })}
        <RowNotes marks={marks} />
      </BilingualRow>
    </div>
  );
}

const caretColors = { recording: "bg-seal", sample: "bg-ink-3", hidden: "invisible" };

const Caret = ({ kind }: { kind: LiveLineProps["caret"] }) => (
  <span
    aria-hidden="true"
    className={`ms-0.75 inline-block h-[1.05em] w-0.5 rounded-full align-[-0.16em] ${caretColors[kind]}`}
  />
);
