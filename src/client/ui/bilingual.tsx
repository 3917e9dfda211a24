import { memo, type ReactNode } from "react";

/** The grid of a bilingual page: a column for times, then one or two columns of text. */
const columns = {
  two: "book:grid-cols-[3.5rem_minmax(0,34em)_minmax(0,34em)] book:gap-x-8",
  one: "book:grid-cols-[3.5rem_minmax(0,44em)] book:gap-x-8",
};

export type Columns = keyof typeof columns;

export interface TextLanguage {
  lang: string;
  dir: "ltr" | "rtl";
}

interface BilingualHeadProps {
  columns: Columns;
  /** Above the English column: the language's name, or a title. */
  english: ReactNode;
  translation: ({ name: string } & TextLanguage) | null;
  /** Buttons at the right edge. With them the head is shown at every width. */
  tools?: ReactNode;
}

export function BilingualHead({ columns: shape, english, translation, tools }: BilingualHeadProps) {
  return (
    <div
      className={`sticky top-0 z-1 items-center bg-linear-to-b from-80% from-paper to-transparent book:grid ${columns[shape]} ${tools ? "pt-2.5 pb-3 max-book:flex max-book:gap-2" : "pt-4.5 pb-4 max-book:hidden"}`}
    >
      <span className="max-book:hidden" />
      <div className={`${nameClass} max-book:flex-1`}>{english}</div>
      {translation || tools ? (
        <div
          className={`flex items-center gap-3 ${shape === "one" ? "book:absolute book:right-0" : ""}`}
        >
          {translation ? (
            <span
              lang={translation.lang}
              dir={translation.dir}
              className={`${nameClass} max-book:hidden`}
            >
              {translation.name}
            </span>
          ) : null}
          {tools ? <div className="-mr-2 ml-auto flex items-center">{tools}</div> : null}
        </div>
      ) : null}
    </div>
  );
}

const nameClass = "min-w-0 truncate font-[550] text-ink-3 text-xs";

interface BilingualRowProps {
  columns: Columns;
  time: string | null;
  /** The speaker differs from the row before: adds space above. */
  isNewSpeaker: boolean;
  /** The position of a row that can be focused and edited, as `data-row`. */
  position?: number;
  children: ReactNode;
}

/** One sentence and its translation. Sizes are in em, so that the page sets the reading size. */
export function BilingualRow({
  columns: shape,
  time,
  isNewSpeaker,
  position,
  children,
}: BilingualRowProps) {
  return (
    <div
      {...(position === undefined ? {} : { "data-row": position, tabIndex: -1 })}
      className={`grid gap-y-0.5 border-rule leading-[1.62] -outline-offset-2 max-book:border-b max-book:py-2.5 book:py-1.75 ${isNewSpeaker ? "book:pt-5" : ""} ${columns[shape]}`}
    >
      <span className="tabular pt-[0.3em] font-ui text-ink-3 text-xs leading-normal book:text-right max-book:pt-0">
        {time}
      </span>
      {children}
    </div>
  );
}

export const englishClass = "min-w-0 wrap-anywhere";
export const translationClass =
  "min-w-0 wrap-anywhere text-[0.97em] leading-[1.7] max-book:text-ink-2";

const speakerLooks = [
  "text-speaker-1 bg-speaker-1/11",
  "text-speaker-2 bg-speaker-2/11",
  "text-speaker-3 bg-speaker-3/11",
  "text-speaker-4 bg-speaker-4/11",
] as const;

/** The label of a row's speaker: `1` becomes `[S1]`. */
export const formatSpeaker = (speaker: string): string =>
  `[${/^\d+$/.test(speaker) ? `S${speaker}` : speaker}]`;

export const findSpeakerName = (
  names: Readonly<Record<string, string>>,
  speaker: string,
): string | undefined => (Object.hasOwn(names, speaker) ? names[speaker] : undefined);

interface SpeakerTagProps {
  speaker: string;
  name?: string | undefined;
  /** Describes what a click does. The click is handled by a listener for `data-speaker`. */
  action?: string;
}

/** A small coloured label such as [S1], or the speaker's name. A speaker always has the same colour. */
export const SpeakerTag = memo(function SpeakerTag({ speaker, name, action }: SpeakerTagProps) {
  const number = Number.parseInt(speaker.replace(/\D+/g, ""), 10) || 1;
  const look = `mr-1.75 inline-block rounded-[5px] px-1.5 align-[0.15em] font-semibold font-ui text-[0.6875rem] leading-[1.6] ${speakerLooks[(number - 1) % speakerLooks.length]}`;
  const text = name ?? formatSpeaker(speaker);
  if (action === undefined) return <span className={look}>{text}</span>;
  return (
    <button
      type="button"
      tabIndex={-1}
      data-speaker={speaker}
      title={action}
      className={`${look} transition-colors duration-150 ease-quiet hover:underline touch-reach`}
    >
      {text}
    </button>
  );
});
