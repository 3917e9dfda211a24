import type { TranscriptRow } from "#client/lecture/lecture-document.ts";
import { writeFormula } from "#client/lib/formulas.ts";
import { ShownFormula } from "#client/ui/formula.tsx";
import { getTextLanguage } from "#shared/languages.ts";

/** The formulas that are said in a row, below it, each with its words. The words are what is read aloud. */
export default function RowFormulas({ row }: { row: TranscriptRow }) {
  return (
    <ul className="fades mt-1 grid gap-1 columns:col-start-2 columns:-col-end-1">
      {row.formulas?.map(({ words, tex }) => (
        <li key={words + tex} className="flex flex-wrap items-baseline gap-x-3 gap-y-0.5">
          <span
            aria-hidden="true"
            className="min-w-0 max-w-full overflow-x-auto overflow-y-hidden py-0.5 text-[1.25em]"
          >
            <ShownFormula
              text={writeFormula(tex)}
              formula={{ tex: `\\displaystyle ${tex}`, isDisplay: false }}
            />
          </span>
          <span
            {...getTextLanguage(row.spokenIn)}
            className="min-w-0 font-ui text-[0.8em] text-ink-3 wrap-anywhere"
          >
            {words}
          </span>
        </li>
      ))}
    </ul>
  );
}
