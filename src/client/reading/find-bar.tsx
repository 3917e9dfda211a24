import { ChevronDown, ChevronUp, Flag, X } from "lucide-react";
import {
  type KeyboardEvent,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { createPortal } from "react-dom";
import type { RowBlock } from "#client/lecture/lecture-document.ts";
import { useValue } from "#client/lib/hooks.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import type { LanguagePair } from "#shared/languages.ts";
import { useT } from "./dialog-messages/index.ts";
import { findMatches, type Match, matchesMax } from "./find-matches.ts";
import { createRange, highlight, scrollToRow } from "./highlight.ts";
import { isFindOpen } from "./reading-state.ts";
import { getShownWords, type ShownText } from "./shown-texts.ts";
import { markedOnly } from "./use-marks.ts";
import { findRowAt, findVisibleRow, getPosition } from "./use-rows.ts";

/** The most matches that are marked at once: those around the current one. */
const markedMax = 2_000;

export interface FindBarProps {
  blocks: readonly RowBlock[];
  /** The texts that are shown: the others are not searched. */
  texts: readonly ShownText[];
  pair: LanguagePair;
  page: RefObject<HTMLElement | null>;
  stopFollowing: () => void;
  /** Sentences can be marked. */
  hasMarks: boolean;
}

/** Finds words in the lecture: counts the matches, marks them and goes from one to the next. */
export default function FindBar(props: FindBarProps) {
  const { blocks, texts, pair, page, stopFollowing, hasMarks } = props;
  const t = useT();
  const showsMarkedOnly = useValue(markedOnly);
  const field = useRef<HTMLInputElement>(null);
  const [query, setQuery] = useState("");
  const searched = useDeferredValue(query);
  const matches = useMemo(
    () => findMatches(blocks, searched, (row) => getShownWords(texts, row, pair)),
    [blocks, searched, texts, pair],
  );
  /** The chosen match. Kept by its place, because new rows and corrections change its number. */
  const [chosen, setChosen] = useState<Match | null>(null);
  const index = findIndexFrom(matches, chosen);
  const current = matches[index] ?? null;

  useEffect(() => field.current?.focus(), []);

  // From the first row in view on.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is searched moves the page
  useEffect(() => {
    const row = page.current && findVisibleRow(page.current);
    const from = row ? { position: getPosition(row), text: "", copy: 0, start: 0, end: 0 } : null;
    const first = matches[findIndexFrom(matches, from)] ?? null;
    setChosen(first);
    if (first) show(first);
  }, [searched]);

  useEffect(() => {
    const box = page.current;
    if (!box) return;
    const from = Math.max(0, index - markedMax / 2);
    const listRanges = (list: readonly Match[]) =>
      list.flatMap((match) => {
        const row = findRowAt(box, match.position);
        return (row && createRange(row, match)) ?? [];
      });
    highlight("hits", listRanges(matches.slice(from, from + markedMax)));
    highlight("current-hit", current ? listRanges([current]) : []);
    return () => {
      highlight("hits", []);
      highlight("current-hit", []);
    };
  }, [page, matches, index, current]);

  const stopScrolling = useRef(() => {});
  useEffect(() => () => stopScrolling.current(), []);
  function show({ position }: Match) {
    if (!page.current) return;
    stopFollowing();
    stopScrolling.current();
    stopScrolling.current = scrollToRow(page.current, position, () => {});
  }

  function step(by: 1 | -1) {
    const next = matches[(index + by + matches.length) % matches.length];
    if (!next) return;
    setChosen(next);
    show(next);
  }

  function close() {
    isFindOpen.set(false);
    const row = current && page.current && findRowAt(page.current, current.position);
    (row ?? page.current)?.focus({ preventScroll: true });
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") close();
    else if (event.key === "Enter" && event.target === field.current) step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  const count =
    matches.length > 0
      ? t("find.count", {
          current: index + 1,
          count: matches.length < matchesMax ? matches.length : `${matchesMax}+`,
        })
      : t("find.none");
  const head = page.current?.closest("[data-reading]")?.querySelector("[data-find-place]");
  if (!head) return null;
  // In the place of a head, so that it covers no text; in that of the text above its second column.
  return createPortal(
    <search
      data-find
      aria-label={t("find.label")}
      onKeyDown={handleKeyDown}
      className="absolute inset-x-2 inset-y-0 my-auto flex h-11.5 items-center gap-0.5 rounded-m border border-rule-control bg-sheet px-1 ps-3 font-ui text-base columns:left-auto columns:w-[clamp(18rem,50%-4.25rem,26rem)]"
    >
      <input
        ref={field}
        aria-label={t("find.label")}
        placeholder={t("find.label")}
        dir="auto"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        className="min-w-0 flex-1 bg-transparent py-1 outline-none"
      />
      <span role="status" className="tabular shrink-0 px-1.5 text-ink-3 text-sm">
        {searched.trim() === "" ? null : count}
      </span>
      <IconButton
        icon={ChevronUp}
        iconClass="size-4.5"
        label={t("find.previous")}
        disabled={matches.length === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        icon={ChevronDown}
        iconClass="size-4.5"
        label={t("find.next")}
        disabled={matches.length === 0}
        onClick={() => step(1)}
      />
      {hasMarks ? (
        <Button
          look="quiet"
          size="small"
          aria-pressed={showsMarkedOnly}
          title={t("marks.only")}
          onClick={() => markedOnly.set(!showsMarkedOnly)}
          className="px-2! aria-pressed:bg-paper-3"
        >
          <Flag className={`size-4 ${showsMarkedOnly ? "fill-current" : ""}`} />
          <span className="max-book:sr-only columns:sr-only">{t("marks.only")}</span>
        </Button>
      ) : null}
      <IconButton icon={X} iconClass="size-4.5" label={t("find.close")} onClick={close} />
    </search>,
    head,
  );
}

/** The number of the first match at `from` or after it; 0 where there is none. */
function findIndexFrom(matches: readonly Match[], from: Match | null): number {
  if (from === null) return 0;
  const same = matches.findIndex(
    ({ position, text, copy, start }) =>
      position === from.position &&
      text === from.text &&
      copy === from.copy &&
      start === from.start,
  );
  if (same !== -1) return same;
  return Math.max(
    0,
    matches.findIndex(({ position }) => position >= from.position),
  );
}
