import { Link } from "@tanstack/react-router";
import { AlignLeft, Captions, Type } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import type { SearchHit, SearchPage } from "../../../../shared/search.ts";
import type { MessageKey } from "../../../i18n/index.ts";
import { useT } from "../../../i18n/index.ts";
import { formatClock, formatDay } from "../../../lib/dates.ts";
import { listSearch } from "../home/address.ts";
import { useKnownFolders } from "../home/use-known-folders.ts";
import { takeReturn } from "../list/came-from.ts";
import type { Finder } from "./mark.ts";
import { Marked } from "./marked.tsx";

interface HitProps {
  result: SearchPage["results"][number];
  find: Finder;
  query: string;
  folderId: string | null | undefined;
  first: boolean;
}

const kinds: Record<SearchHit["kind"], { icon: typeof Type; label: MessageKey }> = {
  title: { icon: Type, label: "search.inTitle" },
  summary: { icon: AlignLeft, label: "search.inSummary" },
  text: { icon: Captions, label: "search.inTranscript" },
  entry: { icon: Captions, label: "search.inTranscript" },
};

/** Where in its lecture a hit is, for the address. */
function placeOf(hit: SearchHit) {
  switch (hit.kind) {
    case "entry":
      return { row: hit.position };
    case "summary":
    case "text":
      return { part: hit.kind };
    case "title":
      return {};
    default:
      return hit satisfies never;
  }
}

/** One lecture that was found. The whole of it leads to the place. */
export const Hit = memo(function Hit({ result, find, query, folderId, first }: HitProps) {
  const t = useT();
  const { lectureId, title, hit, createdAt } = result;
  const folderName = useKnownFolders().nameOf(result.folderId);
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (takeReturn(lectureId)) link.current?.focus({ preventScroll: true });
  }, [lectureId]);
  const { icon: Icon, label } = kinds[hit.kind];
  return (
    <article
      className={`group relative -mx-5 rounded-l px-5 py-4 transition-shadow duration-150 ease-quiet after:absolute after:top-0 after:right-5 after:left-5 after:border-rule after:border-t focus-within:bg-sheet hover:bg-sheet hover:shadow-sheet hover:after:opacity-0 max-sm:-mx-4.5 max-sm:px-4.5 ${first ? "after:hidden" : ""}`}
    >
      <h2 className="font-semibold text-lg tracking-tight wrap-anywhere">
        <Link
          ref={link}
          to="/"
          search={{ ...listSearch(query, folderId), lecture: lectureId, ...placeOf(hit) }}
          state={{ fromList: true }}
          className="after:absolute after:inset-0 after:rounded-l"
        >
          <bdi>{title ? <Marked text={title} find={find} /> : t("home.untitled")}</bdi>
        </Link>
      </h2>
      <p className="tabular mt-0.5 flex flex-wrap items-center gap-x-3.5 text-ink-3 text-sm">
        <span className="inline-flex items-center gap-1.5 text-ink-2">
          <Icon className="size-3.5" aria-hidden="true" />
          {t(label)}
          {hit.kind === "entry" && hit.startMs > 0 ? (
            <span>{formatClock(hit.startMs / 1000)}</span>
          ) : null}
        </span>
        <span>{formatDay(createdAt)}</span>
        {folderName ? (
          <span dir="auto" className="min-w-0 truncate text-jade">
            {folderName}
          </span>
        ) : null}
      </p>
      <Sentence hit={hit} find={find} />
    </article>
  );
});

function Sentence({ hit, find }: { hit: SearchHit; find: Finder }) {
  if (hit.kind === "title") return null;
  if (hit.kind !== "entry")
    return (
      // Of which language it is, nobody has said.
      <p lang="" dir="auto" className="mt-1.5 max-w-[68ch] text-ink-2 wrap-anywhere">
        <Marked text={hit.text} find={find} />
      </p>
    );
  return (
    <div className="mt-1.5 grid max-w-[68ch] gap-0.5 text-ink-2 wrap-anywhere">
      <p lang="en">
        <Marked text={hit.english} find={find} />
      </p>
      {hit.translated ? (
        <p lang="" dir="auto">
          <Marked text={hit.translated} find={find} />
        </p>
      ) : null}
    </div>
  );
}
