import { memo, type ReactNode } from "react";

/** The grid of a bilingual page: a margin for times, then one or two columns of text. */
const columns = {
  two: "book:grid-cols-[3.5rem_minmax(0,34em)_minmax(0,34em)] book:gap-x-8",
  one: "book:grid-cols-[3.5rem_minmax(0,44em)] book:gap-x-8",
};

export type Columns = keyof typeof columns;

/** What a column says about its text to browsers and screen readers. */
export interface TextLanguage {
  lang: string;
  dir: "ltr" | "rtl";
}

interface BilingualHeadProps {
  columns: Columns;
  english: string;
  translation: ({ name: string } & TextLanguage) | null;
}

/** The names of the two languages, above their columns. Below the width of a book there are none. */
export function BilingualHead({ columns: shape, english, translation }: BilingualHeadProps) {
  return (
    <div
      className={`sticky top-0 z-1 grid bg-linear-to-b from-80% from-paper to-transparent pt-4.5 pb-4 max-book:hidden ${columns[shape]}`}
    >
      <span />
      <span className={nameClass}>{english}</span>
      {translation ? (
        <span lang={translation.lang} dir={translation.dir} className={nameClass}>
          {translation.name}
        </span>
      ) : null}
    </div>
  );
}

const nameClass = "font-[550] text-ink-3 text-xs";

interface BilingualRowProps {
  columns: Columns;
  time: string | null;
  /** Somebody else speaks from here on. */
  turn: boolean;
  children: ReactNode;
}

/** One sentence and its translation. Sizes are in em: the page decides how large it is read. */
export function BilingualRow({ columns: shape, time, turn, children }: BilingualRowProps) {
  return (
    <div
      className={`grid gap-y-0.5 border-rule leading-[1.62] max-book:border-b max-book:py-2.5 book:py-1.75 ${turn ? "book:pt-5" : ""} ${columns[shape]}`}
    >
      <span className="tabular pt-[0.3em] text-ink-3 text-xs leading-normal book:text-right max-book:pt-0">
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

/** A small coloured label such as [S1]. The same speaker has the same colour. */
export const SpeakerTag = memo(function SpeakerTag({ speaker }: { speaker: string }) {
  const label = /^\d+$/.test(speaker) ? `S${speaker}` : speaker;
  const number = Number.parseInt(label.replace(/\D+/g, ""), 10) || 1;
  const look = speakerLooks[(number - 1) % speakerLooks.length];
  return (
    <span
      className={`mr-1.75 inline-block rounded-[5px] px-1.5 align-[0.15em] font-semibold text-[0.6875rem] leading-[1.6] ${look}`}
    >
      [{label}]
    </span>
  );
});
