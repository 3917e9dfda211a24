import { useValue } from "#client/lib/signal.ts";
import type { SessionView, TranscriptRow, TranscriptView } from "#client/realtime/session-types.ts";
import {
  BilingualRow,
  type Columns,
  englishClass,
  findSpeakerName,
  SpeakerTag,
  translationClass,
} from "#client/ui/bilingual.tsx";
import { languages, type TargetLanguage } from "#shared/languages.ts";
import { getRowStart } from "./row-block.tsx";

interface LiveLineProps {
  transcript: TranscriptView;
  columns: Columns;
  target: TargetLanguage;
  previousRow: TranscriptRow | undefined;
  names: SessionView["speakerNames"];
}

/** The sentence being spoken: final words in ink, interim ones lighter. Only this component renders per word. */
export function LiveLine({ transcript, columns, target, previousRow, names }: LiveLineProps) {
  const live = useValue(transcript.live);
  if (!live) return null;
  const { speaker, time, isNewSpeaker } = getRowStart(live, previousRow);
  const language = target === "none" ? null : languages[target];
  return (
    <BilingualRow columns={columns} time={time} isNewSpeaker={isNewSpeaker}>
      <p lang="en" className={englishClass}>
        {speaker === null ? null : (
          <SpeakerTag speaker={speaker} name={findSpeakerName(names, speaker)} />
        )}
        {live.finalText}
        <span className="text-ink-live">{live.interimText}</span>
        <span
          aria-hidden="true"
          className="ml-0.75 inline-block h-[1.05em] w-0.5 animate-caret rounded-full bg-seal align-[-0.16em]"
        />
      </p>
      {language ? (
        <p
          lang={language.tag}
          dir={language.dir}
          className={`${translationClass} min-h-[1.7em] text-ink-live max-book:text-ink-live`}
        >
          {live.preview}
        </p>
      ) : null}
    </BilingualRow>
  );
}
