import type { TranscriptRow, TranscriptView } from "#client/lecture/lecture-document.ts";
import { formatClock } from "#client/lib/dates.ts";
import { useValue } from "#client/lib/hooks.ts";
import { findSpeakerName } from "#client/lib/text.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { BilingualRow, getColumnClass, originalClass, SpeakerTag } from "#client/ui/bilingual.tsx";
import {
  defaultSourceLanguage,
  getTextLanguage,
  getTranslationLanguage,
  isSecondLanguage,
  type LanguagePair,
  toTranslationLanguage,
} from "#shared/languages.ts";
import type { Mark } from "#shared/lecture.ts";
import { useLiveSpace } from "./live-space.ts";
import { MarkedTime, RowNotes } from "./marks.tsx";
import { fillLiveSpace } from "./reserve-space.ts";
import { getRowStart } from "./row-block.tsx";
import { getRowTexts, type ShownText } from "./shown-texts.ts";
import { ReservedSpace } from "./translation.tsx";

interface LiveLineProps {
  transcript: Pick<TranscriptView, "live">;
  marks: readonly Mark[];
  texts: readonly ShownText[];
  pair: LanguagePair;
  previousRow: TranscriptRow | undefined;
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
  const [firstText = "original"] = shownTexts;
  const space = useLiveSpace(
    firstText,
    (firstText === "translation" && target) || toTranslationLanguage(spokenIn),
  );
  if (!live) return null;
  const { speaker, time, isNewSpeaker } = getRowStart(live, previousRow);
  const tag =
    speaker === null ? null : (
      <SpeakerTag speaker={speaker} name={findSpeakerName(names, speaker)} />
    );
  return (
    <div data-live-line>
      <BilingualRow
        columns={texts.length > 1 ? "two" : "one"}
        time={
          marks.length > 0 ? (
            <MarkedTime marks={marks}>{formatClock(live.startMs / 1000)}</MarkedTime>
          ) : (
            time
          )
        }
        isNewSpeaker={isNewSpeaker}
      >
        {shownTexts.map((text, index) => {
          const isFirst = index === 0;
          const firstSpace = isFirst && !isSingle ? space : undefined;
          // The space of a sentence is not that of the one before.
          const key = `${text} ${previousRow?.position}`;
          const columnClass = getColumnClass(index, isSecond);
          return text === "original" ? (
            <div
              key={key}
              {...firstSpace}
              {...getTextLanguage(spokenIn)}
              className={`${originalClass} live-space ${columnClass}`}
            >
              <p {...getTextLanguage(spokenIn)}>
                {isFirst ? tag : null}
                {live.finalText}
                <span className="text-ink-live">{live.interimText}</span>
                <Caret kind={caret} />
              </p>
            </div>
          ) : target === null ? null : (
            <ReservedSpace
              key={key}
              row={{
                original: fillLiveSpace(live.finalText + live.interimText, spokenIn),
                spokenIn,
              }}
              placeholder={{ language: target, text: live.preview }}
              hasTag={isFirst && tag !== null}
              liveSpace={firstSpace}
              className={columnClass}
            >
              <p>
                {isFirst ? tag : null}
                <span className="text-ink-live">{live.preview}</span>
                {isSingle ? <Caret kind={caret} /> : null}
              </p>
            </ReservedSpace>
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
