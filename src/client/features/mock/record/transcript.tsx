import { sampleLanguage } from "#client/features/mock/sample.ts";
import { formatClock } from "#client/lib/dates.ts";
import { SpeakerTag } from "#client/ui/bilingual.tsx";
import { findSentence } from "./player.ts";
import { sentences } from "./sample.ts";

const starts = sentences.map(({ start }) => start);

interface TranscriptProps {
  /** The player's position, in seconds. */
  position: number;
  onSeek: (position: number) => void;
}

/** The sentences of the sample recording. The current one is marked; a click on one seeks to it. */
export function Transcript({ position, onSeek }: TranscriptProps) {
  const current = findSentence(starts, position);
  return (
    <ol className="-mx-3 grid gap-0.5">
      {sentences.map(({ start, speaker, text }, index) => (
        <li key={start}>
          <button
            type="button"
            aria-current={index === current ? "true" : undefined}
            onClick={() => onSeek(start)}
            className="group grid w-full gap-x-4 rounded-m px-3 py-2 text-left text-[1.0625rem] leading-[1.7] transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-2 aria-[current]:bg-paper-3 sm:grid-cols-[2.5rem_minmax(0,1fr)]"
          >
            <span className="tabular pt-[0.35em] text-ink-3 text-xs leading-normal group-aria-[current]:text-ink-2 sm:text-right">
              {formatClock(start)}
            </span>
            <span lang={sampleLanguage} className="wrap-anywhere">
              {speaker === sentences[index - 1]?.speaker ? null : <SpeakerTag speaker={speaker} />}
              {text}
            </span>
          </button>
        </li>
      ))}
    </ol>
  );
}
