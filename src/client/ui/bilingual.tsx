import { memo, type ReactNode } from "react";
import { formatSpeakerLabel } from "#shared/speaker-label.ts";

/** The grid of a bilingual page: a column for times, then one or two columns of text. */
const columns = {
  two: "columns:grid-cols-[3rem_minmax(0,24.5em)_minmax(0,24.5em)] columns:gap-x-10",
  one: "columns:grid-cols-[3rem_minmax(0,36em)] columns:gap-x-10",
};

/** The width of the grid. Its columns become narrower where the window is. */
export const pageWidths = { two: "max-w-[calc(8rem+49em)]", one: "max-w-[calc(5.5rem+36em)]" };

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
      className={`fades -mx-2 flex items-center gap-2 px-2 ${tools ? "sticky top-0 z-1 h-13.5 bg-linear-to-b from-80% from-paper to-transparent max-columns:pointer-coarse:h-16.5" : "relative h-10 shrink-0 max-columns:sr-only"}`}
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
  /** Adds space above. */
  isNewParagraph: boolean;
  /** The position of a row that can be focused and edited, as `data-row`. */
  position?: number;
  children: ReactNode;
}

/** One sentence and its translation. Sizes are in em, so that the page sets the reading size. */
export function BilingualRow({
  columns: shape,
  time,
  isNewParagraph,
  position,
  children,
}: BilingualRowProps) {
  return (
    <div
      {...(position === undefined ? {} : { "data-row": position, tabIndex: -1 })}
      className={`relative -mx-2 grid gap-y-0.5 aria-[current=true]:bg-paper-3 px-2 -outline-offset-2 columns:[--text-start:5.25rem] ${isNewParagraph ? "pt-4 pb-1.5 columns:pt-5 columns:pb-1" : "py-1.5 columns:py-1"} ${columns[shape]}`}
    >
      {/* Beside the text it is on the baseline of the first line, at every size. */}
      <span className="fades tabular font-ui text-ink-3 max-columns:text-xs whitespace-nowrap columns:leading-[calc(1.222em+0.5rem)]">
        <span className="text-xs">{time}</span>
      </span>
      {children}
    </div>
  );
}

/**
 * Lines stand closer, in proportion, the larger the text is: 1.67 at 18 px, 1.39 at 48 px. Those of both columns have the
 * same height, so that they stand side by side. `--leading` is a script's own.
 */
export const originalClass =
  "min-w-0 wrap-anywhere leading-[calc(var(--leading,1.222)*1em+0.5rem)]";
export const translationClass =
  "min-w-0 wrap-anywhere text-[0.97em] leading-[calc(var(--leading,1.26)*1em+0.5rem)]";

/**
 * Places a row's text number `index` beside its other one where the columns are the other way round: in a two-way
 * lecture, of what is said in the second language. In one column they stay in their order.
 */
export const getColumnClass = (index: number, isSwapped: boolean): string =>
  isSwapped ? (swappedColumns[index] ?? "") : "";

/** Tells a row's text number `index` from the first one, below which it stands in one column. */
export const getTone = (index: number): string => (index > 0 ? "max-columns:text-ink-2" : "");

const swappedColumns = [
  "columns:col-start-3 columns:row-start-1",
  "columns:col-start-2 columns:row-start-1",
];

const speakerLooks = [
  "text-speaker-1",
  "text-speaker-2",
  "text-speaker-3",
  "text-speaker-4",
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
  const look = `me-[0.375em] font-semibold font-ui text-[0.875em] leading-none ${speakerLooks[(number - 1) % speakerLooks.length]}`;
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
