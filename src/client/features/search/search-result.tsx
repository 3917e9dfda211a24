import { Link } from "@tanstack/react-router";
import { AlignLeft, Captions, Flag, Presentation, Type } from "lucide-react";
import { Fragment, memo, useMemo } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { useDemoTexts } from "#client/i18n/demo-texts.ts";
import { type MessageKey, useT } from "#client/i18n/library/index.ts";
import { formatClock, formatDay } from "#client/lib/dates.ts";
import { useReturnFocus } from "#client/lib/focus.ts";
import { type HomeSearch, toListSearch } from "#client/lib/home-search.ts";
import { useCachedFolders } from "#client/state/library/use-folders.ts";
import { showFormulaLine } from "#client/ui/lazy-formula.tsx";
import { getTextLanguage, getTranslationTag, unknownTextLanguage } from "#shared/languages.ts";
import type { MarkedText, SearchHit, SearchPage } from "#shared/search.ts";
import { markWholeFormulas } from "./mark-formulas.ts";

interface SearchResultProps {
  result: SearchPage["results"][number];
  query: string;
  folderId: string | null | undefined;
  first: boolean;
}

const kinds: Record<SearchHit["kind"], { icon: typeof Type; label: MessageKey }> = {
  title: { icon: Type, label: "search.inTitle" },
  summary: { icon: AlignLeft, label: "search.inSummary" },
  text: { icon: Captions, label: "search.inTranscript" },
  note: { icon: Flag, label: "search.inNote" },
  slide: { icon: Presentation, label: "search.inSlide" },
  entry: { icon: Captions, label: "search.inTranscript" },
};

/** URL parameters that point to the hit in its lecture. */
function toLectureSearch(hit: SearchHit): Pick<HomeSearch, "row" | "part"> {
  if (hit.kind === "title") return {};
  return "position" in hit ? { row: hit.position } : { part: hit.kind };
}

export const SearchResult = memo(function SearchResult({
  result,
  query,
  folderId,
  first,
}: SearchResultProps) {
  const t = useT();
  const language = useLanguage();
  const { lectureId, title, hit, createdAt, hasDemoText } = result;
  const demo = useDemoTexts();
  const folderName = useCachedFolders().getName(result.folderId);
  const link = useReturnFocus(lectureId);
  const { icon: Icon, label } = kinds[hit.kind];
  return (
    <article
      className={`group relative -mx-5 rounded-l px-5 py-4 transition-shadow duration-150 ease-quiet after:absolute after:top-0 after:right-5 after:left-5 max-book:after:right-4 max-book:after:left-4 after:border-rule after:border-t focus-within:bg-sheet hover:bg-sheet hover:shadow-sheet hover:after:opacity-0 max-book:-mx-4 max-book:px-4 ${first ? "after:hidden" : ""}`}
    >
      <h2 className="font-semibold text-lg tracking-tight wrap-anywhere">
        <Link
          ref={link}
          to="/record"
          search={{ ...toListSearch(query, folderId), lecture: lectureId, ...toLectureSearch(hit) }}
          state={{ fromList: true }}
          className="after:absolute after:inset-0 after:rounded-l"
        >
          <bdi>{title.join("") ? <HighlightedText text={title} /> : t("home.untitled")}</bdi>
        </Link>
      </h2>
      <p className="tabular mt-0.5 flex flex-wrap items-center gap-x-3.5 text-ink-3 text-sm">
        {hasDemoText ? (
          <span title={demo.mark} className="font-medium text-ink-2">
            {demo.label}
          </span>
        ) : null}
        <span className="inline-flex items-center gap-1.5 text-ink-2">
          <Icon className="size-3.5" />
          {t(label)}
          {"startMs" in hit && hit.startMs > 0 ? (
            <span>{formatClock(hit.startMs / 1000)}</span>
          ) : null}
        </span>
        <span>{formatDay(createdAt, language)}</span>
        {folderName ? (
          <span dir="auto" className="min-w-0 truncate text-ink-2">
            {folderName}
          </span>
        ) : null}
      </p>
      <MatchedText hit={hit} />
    </article>
  );
});

function MatchedText({ hit }: { hit: SearchHit }) {
  if (hit.kind === "title") return null;
  if (hit.kind !== "entry")
    return (
      // The language is unknown.
      <p {...unknownTextLanguage} className="mt-1.5 max-w-[76ch] text-ink-2 wrap-anywhere">
        <HighlightedText text={hit.text} />
      </p>
    );
  return (
    <div className="mt-1.5 grid max-w-[76ch] gap-0.5 text-ink-2 wrap-anywhere">
      <p {...getLanguageProps(hit.spokenIn)}>
        <HighlightedText text={hit.original} />
      </p>
      {hit.translated.join("") ? (
        <p {...getLanguageProps(hit.translatedInto && getTranslationTag(hit.translatedInto))}>
          <HighlightedText text={hit.translated} />
        </p>
      ) : null}
    </div>
  );
}

const getLanguageProps = (tag: string | undefined) =>
  tag === undefined ? unknownTextLanguage : getTextLanguage(tag);

function HighlightedText({ text }: { text: MarkedText }) {
  const pieces = useMemo(() => markWholeFormulas(text), [text]);
  return pieces.map((piece, index) =>
    index % 2 === 1 ? (
      <mark
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece is identified by its index
        key={index}
        className="rounded-[3px] bg-hit px-px text-hit-ink"
      >
        {showFormulaLine(piece)}
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the same
      <Fragment key={index}>{showFormulaLine(piece)}</Fragment>
    ),
  );
}
