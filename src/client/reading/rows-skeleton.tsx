import { BilingualRow, type Columns } from "#client/ui/bilingual.tsx";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { useT } from "./messages/index.ts";

const widths = ["w-full", "w-11/12", "w-3/5", "w-full", "w-4/5"];

/** Placeholders for rows that are loading. */
export function RowsSkeleton({ columns }: { columns: Columns }) {
  const t = useT();
  return (
    <div role="status" aria-busy="true">
      <span className="sr-only">{t("reading.loading")}</span>
      {widths.map((width, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the placeholders never change
        <BilingualRow key={index} columns={columns} time={null} isNewParagraph={false}>
          <Skeleton className={`my-1.5 h-[0.9em] ${width}`} />
          {columns === "two" ? <Skeleton className={`my-1.5 h-[0.9em] ${width}`} /> : null}
        </BilingualRow>
      ))}
    </div>
  );
}
