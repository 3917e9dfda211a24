import { memo, type ReactNode } from "react";
import { formatSpeakerLabel } from "#client/lib/text.ts";

/** The grid of a bilingual page: a column for times, then one or two columns of text. */
const columns = {
  two: "columns:grid-cols-[3.5rem_minmax(0,34em)_minmax(0,34em)] columns:gap-x-8",
  one: "columns:grid-cols-[3.5rem_minmax(0,44em)] columns:gap-x-8",
};

/** The width of the grid. Its columns become narrower where the window is. */
export const pageWidths = { two: "max-w-[calc(7.5rem+68em)]", one: "max-w-[calc(5.5rem+44em)]" };

export type Columns = keyof typeof columns;

interface BilingualHeadProps {
  columns: Columns;
  /** Above the first column of text. */
  first: ReactNode;
  /** Above the second one, which exists on a wide screen. */
  second: ReactNode;
  /** At the right edge of the page, whatever the width of its text is. With them the head stays above the text. */
  tools?: ReactNode;
}

export function BilingualHead({ columns: shape, first, second, tools }: BilingualHeadProps) {
  return (
    <div
      data-page-head
      data-find-place={tools ? true : undefined}
      className={`fades -mx-2 flex items-center gap-2 px-2 ${tools ? "sticky top-0 z-1 h-13.5 bg-linear-to-b from-80% from-paper to-transparent max-columns:pointer-coarse:h-16.5" : "h-10 max-columns:h-6"}`}
    >
      <div
        className={`mx-auto min-w-0 flex-1 items-center columns:grid ${columns[shape]} ${pageWidths[shape]}`}
      >
        <span className="max-columns:hidden" />
        <div className={nameClass}>{first}</div>
        {second ? <div className={`${nameClass} max-columns:hidden`}>{second}</div> : null}
      </div>
      {tools ? (
        <div className="-mr-2 flex shrink-0 items-center columns:absolute columns:right-2">
          {tools}
        </div>
      ) : null}
    </div>
  );
}

const nameClass = "min-w-0 truncate font-[550] text-ink-3 text-xs";

interface BilingualRowProps {
  columns: Columns;
  time: ReactNode;
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
      className={`relative -mx-2 grid gap-y-0.5 border-rule aria-[current=true]:bg-paper-3 px-2 -outline-offset-2 columns:[--text-start:5.25rem] max-columns:border-b max-columns:py-2.5 columns:py-1.75 ${isNewSpeaker ? "columns:pt-5" : ""} ${columns[shape]}`}
    >
      {/* Beside the text it is on the baseline of the first line, at every size. */}
      <span className="fades tabular font-ui text-ink-3 max-columns:text-xs columns:text-right columns:leading-[calc(1.18em+0.5rem)]">
        <span className="text-xs">{time}</span>
      </span>
      {children}
    </div>
  );
}

/** Lines stand closer, in proportion, the larger the text is: 1.62 at 18 px, 1.35 at 48 px; translations a little wider. `--leading` is a script's own. */
export const originalClass = "min-w-0 wrap-anywhere leading-[calc(var(--leading,1.18)*1em+0.5rem)]";
export const translationClass =
  "min-w-0 wrap-anywhere text-[0.97em] leading-[calc(var(--leading,1.25)*1em+0.5rem)]";

/**
 * Places a row's text number `index` beside its other one where the columns are the other way round: in a two-way
 * lecture, of what is said in the second language. In one column they stay in their order.
 */
export const getColumnClass = (index: number, isSwapped: boolean): string =>
  isSwapped ? (swappedColumns[index] ?? "") : "";

const swappedColumns = [
  "columns:col-start-3 columns:row-start-1",
  "columns:col-start-2 columns:row-start-1",
];

const speakerLooks = [
  "text-speaker-1 bg-speaker-1/11",
  "text-speaker-2 bg-speaker-2/11",
  "text-speaker-3 bg-speaker-3/11",
  "text-speaker-4 bg-speaker-4/11",
] as const;

/** The label of a row's speaker: `1` becomes `[S1]`. */
export const formatSpeaker = (speaker: string): string => `[${formatSpeakerLabel(speaker)}]`;

interface SpeakerTagProps {
  speaker: string;
  name?: string | undefined;
  /** Describes what a click does. The click is handled by a listener for `data-speaker`. */
  action?: string | undefined;
}

/** A small coloured label such as [S1], or the speaker's name. A speaker always has the same colour. */
export const SpeakerTag = memo(function SpeakerTag({ speaker, name, action }: SpeakerTagProps) {
  const number = Number.parseInt(speaker.replace(/\D+/g, ""), 10) || 1;
  const look = `me-1.75 inline-block rounded-[5px] px-1.5 align-[0.15em] font-semibold font-ui text-[max(0.6875rem,0.5em)] leading-[1.6] ${speakerLooks[(number - 1) % speakerLooks.length]}`;
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
