import { Link } from "@tanstack/react-router";
import { FileUp } from "lucide-react";
import type { ReactNode } from "react";
import { RecordLink } from "#client/features/library/record-link.tsx";
import { useT } from "#client/i18n/library/index.ts";
import { IconButton } from "#client/ui/button.tsx";
import { CardListSkeleton, ChipsSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { SearchField } from "./search-field.tsx";

interface HomeViewProps {
  query: string;
  /** A folder; null: lectures in no folder; undefined: all. */
  folderId: string | null | undefined;
  onQuery: (query: string) => void;
  /** Lets the person choose files. */
  onImport: () => void;
  /** What the user has recorded this month. */
  usage: ReactNode;
  /** The lectures, or the search results. */
  children: ReactNode;
}

/** What the home page shows before the library's data. */
export function HomeView({ query, folderId, onQuery, onImport, usage, children }: HomeViewProps) {
  const t = useT();
  return (
    <>
      <PageHead title={t("home.title")} action={<RecordLink folderId={folderId} />}>
        <div className="tabular flex min-h-5 flex-wrap items-center gap-x-3.5">
          <Link to="/recordings" className={quietLinkClass}>
            {t("recordings.title")}
          </Link>
          <Link
            to="/glossary"
            search={typeof folderId === "string" ? { folder: folderId } : {}}
            className={quietLinkClass}
          >
            {t("home.glossary")}
          </Link>
          <Link to="/trash" className={quietLinkClass}>
            {t("home.trash")}
          </Link>
          {/* Last, and on a phone in a line of its own, because it comes late: a link that moves is missed. */}
          <div className="min-h-5 max-sm:basis-full">{usage}</div>
        </div>
      </PageHead>
      <div className="mt-7 flex gap-2 pointer-coarse:mt-4">
        {/* Before the field in the tab order, so that Tab leads from the field to the results. */}
        <IconButton
          icon={FileUp}
          iconClass="size-4.5"
          label={t("home.import")}
          aria-haspopup="dialog"
          onClick={onImport}
          className="order-last size-11 rounded-m border border-rule-control bg-sheet"
        />
        <SearchField value={query} onChange={onQuery} />
        <Link
          to="/ask"
          search={typeof folderId === "string" ? { folder: folderId } : {}}
          className="inline-flex h-11 shrink-0 items-center rounded-m border border-rule-control bg-sheet px-3.5 font-[550] text-ink-2 text-base transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink"
        >
          {t("home.ask")}
        </Link>
      </div>
      {children}
    </>
  );
}

const quietLinkClass =
  "touch-target inline-flex items-center underline decoration-rule underline-offset-3 transition-colors duration-150 ease-quiet hover:text-ink hover:decoration-current";

export function LectureListSkeleton() {
  return (
    <>
      <ChipsSkeleton />
      <CardListSkeleton />
    </>
  );
}
