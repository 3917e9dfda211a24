import { useValue } from "#client/lib/signal.ts";
import type { SessionView, TranscriptRow, TranscriptView } from "#client/realtime/session-types.ts";
import {
  BilingualRow,
  englishClass,
  findSpeakerName,
  SpeakerTag,
  translationClass,
} from "#client/ui/bilingual.tsx";
import { languages, type TargetLanguage } from "#shared/languages.ts";
import { getRowStart } from "./row-block.tsx";
import { getRowTexts, type ShownText } from "./shown-texts.ts";

interface LiveLineProps {
  transcript: TranscriptView;
  texts: readonly ShownText[];
  target: TargetLanguage;
  previousRow: TranscriptRow | undefined;
  names: SessionView["speakerNames"];
}

/** The sentence being spoken: final words in ink, interim ones lighter. Only this component renders per word. */
export function LiveLine({ transcript, texts, target, previousRow, names }: LiveLineProps) {
  const live = useValue(transcript.live);
  if (!live) return null;
  const { speaker, time, isNewSpeaker } = getRowStart(live, previousRow);
  const language = target === "none" ? null : languages[target];
  const shownTexts = getRowTexts(texts, language ? "waiting" : "none", false);
  const tag =
    speaker === null ? null : (
      <SpeakerTag speaker={speaker} name={findSpeakerName(names, speaker)} />
    );
  const isSingle = shownTexts.length === 1;
  return (
    <BilingualRow
      columns={texts.length > 1 ? "two" : "one"}
      time={time}
      isNewSpeaker={isNewSpeaker}
    >
      {shownTexts.map((text, index) =>
        text === "english" ? (
          <p key={text} lang="en" className={englishClass}>
            {index === 0 ? tag : null}
            {live.finalText}
            <span className="text-ink-live">{live.interimText}</span>
            <Caret />
          </p>
        ) : language ? (
          <p
            key={text}
            lang={language.tag}
            dir={language.dir}
            className={`${translationClass} min-h-[1.7em]`}
          >
            {index === 0 ? tag : null}
            <span className="text-ink-live">{live.preview}</span>
            {isSingle ? <Caret /> : null}
          </p>
        ) : null,
      )}
    </BilingualRow>
  );
}

const Caret = () => (
  <span
    aria-hidden="true"
    className="ml-0.75 inline-block h-[1.05em] w-0.5 animate-caret rounded-full bg-seal align-[-0.16em]"
  />
);
