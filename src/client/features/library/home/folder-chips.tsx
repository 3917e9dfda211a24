import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { ListFilter } from "lucide-react";
import {
  type KeyboardEvent,
  type RefCallback,
  useCallback,
  useEffect,
  useEffectEvent,
  useRef,
  useState,
} from "react";
import { useT } from "#client/i18n/library/index.ts";
import { useDebouncedInput } from "#client/lib/use-debounced-input.ts";
import { chipPagesQuery, listChips } from "#client/state/library/use-folders.ts";
import { api } from "#client/state/queries.tsx";
import { IconButton } from "#client/ui/button.tsx";
import { ChipsSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { loadNextPage } from "#client/ui/lists/load-more.tsx";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { folderNameMaxLength } from "#shared/limits.ts";

/** Up to this many chips wrap; more are shown in one scrolling row. */
const fewFolders = 10;

interface FolderChipsProps {
  /** A folder; null: lectures in no folder; undefined: all. */
  chosen: string | null | undefined;
  onChoose: OnFolder;
}

/** `isGone`: the folder that was chosen before does not exist. */
export type OnFolder = (folderId: string | null | undefined, isGone?: boolean) => void;

/** Filters of the list with their counts: all lectures, those in no folder, and one chip per folder. */
export function FolderChips({ chosen, onChoose }: FolderChipsProps) {
  const t = useT();
  const [finderOpen, setFinderOpen] = useState(false);
  const [name, setName] = useState("");
  const { query, counts, folders, chosenFolder, isDeleted } = useChips(name.trim(), chosen);
  const chips = chosenFolder ? [chosenFolder, ...folders] : folders;
  const row = useRef<HTMLDivElement>(null);
  const finderButton = useRef<HTMLButtonElement>(null);
  const nextPageTrigger = useNearViewport(() => loadNextPage(query));
  const scrolls = finderOpen || query.hasNextPage || folders.length > fewFolders;

  useEffect(() => {
    if (isDeleted) onChoose(undefined, true);
  }, [isDeleted, onChoose]);
  // After Back, the chosen chip may be outside of the visible part of the row.
  useEffect(() => {
    if (!counts) return;
    const chip = row.current?.querySelector<HTMLElement>("[aria-pressed=true]");
    if (chip && row.current && chip.offsetLeft > row.current.clientWidth)
      row.current.scrollLeft = chip.offsetLeft - row.current.clientWidth / 2;
  }, [counts]);

  if (!counts) return query.isPending ? <ChipsSkeleton /> : null;

  function handleKeyDown(event: KeyboardEvent) {
    const buttons = [...(row.current?.querySelectorAll("button") ?? [])];
    const index = buttons.indexOf(event.target as HTMLButtonElement);
    const targets: Record<string, number> = {
      ArrowRight: index + 1,
      ArrowLeft: index - 1,
      Home: 0,
      End: buttons.length - 1,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    buttons[target]?.focus();
  }

  const closeFinder = () => {
    setFinderOpen(false);
    setName("");
    finderButton.current?.focus();
  };

  return (
    <div className="mt-4 mb-2.5 grid grid-cols-[minmax(0,1fr)] gap-2">
      <div className="flex items-start gap-1">
        <div
          ref={row}
          role="toolbar"
          aria-label={t("home.filter")}
          onKeyDown={handleKeyDown}
          className={`relative -mx-1 flex min-w-0 grow gap-2 p-1 max-sm:overflow-x-auto max-sm:[scrollbar-width:none] ${scrolls ? "overflow-x-auto pr-10 [mask-image:linear-gradient(to_right,black_calc(100%-2.5rem),transparent)] [scrollbar-width:thin]" : "sm:flex-wrap"}`}
        >
          <FilterChip
            pressed={chosen === undefined}
            // Until the chosen folder is loaded, this chip takes the focus.
            tabStop={chosen !== null && !chips.some(({ id }) => id === chosen)}
            onClick={() => onChoose(undefined)}
          >
            {t("home.all", { count: counts.total })}
          </FilterChip>
          {folders.length > 0 || chosen !== undefined || finderOpen ? (
            <FilterChip pressed={chosen === null} onClick={() => onChoose(null)}>
              {t("home.uncategorized", { count: counts.uncategorized })}
            </FilterChip>
          ) : null}
          {chips.map((folder) => (
            <FilterChip
              key={folder.id}
              pressed={folder.id === chosen}
              onClick={() => onChoose(folder.id)}
            >
              {t("home.folder", { name: folder.name, count: folder.lectures })}
            </FilterChip>
          ))}
          {finderOpen && name.trim() !== "" && folders.length === 0 && !query.isFetching ? (
            <p role="status" className="self-center whitespace-nowrap text-ink-3 text-sm">
              {t("home.noFolderFound")}
            </p>
          ) : null}
          {query.hasNextPage ? (
            <span ref={nextPageTrigger} className="w-20 shrink-0 self-center">
              <Skeleton className="h-7.5 rounded-full" />
            </span>
          ) : null}
        </div>
        {scrolls ? (
          <IconButton
            icon={ListFilter}
            ref={finderButton}
            label={t("home.findFolder")}
            aria-expanded={finderOpen}
            onClick={() => (finderOpen ? closeFinder() : setFinderOpen(true))}
          />
        ) : null}
      </div>
      {finderOpen ? <FolderFinder name={name} onName={setName} onClose={closeFinder} /> : null}
    </div>
  );
}

interface FilterChipProps {
  pressed: boolean;
  /** The one chip in the tab order; arrow keys move on from it. */
  tabStop?: boolean;
  onClick: () => void;
  children: string;
}

function FilterChip({ pressed, tabStop = pressed, onClick, children }: FilterChipProps) {
  return (
    <button
      type="button"
      dir="auto"
      aria-pressed={pressed}
      tabIndex={tabStop ? 0 : -1}
      onClick={onClick}
      className="tabular touch-target max-w-72 shrink-0 truncate rounded-full border border-rule-control bg-sheet px-3.5 py-1 text-ink-2 text-sm transition-colors duration-150 ease-quiet hover:border-rule-strong hover:text-ink aria-pressed:border-ink aria-pressed:bg-ink aria-pressed:text-paper"
    >
      {children}
    </button>
  );
}

interface FolderFinderProps {
  name: string;
  onName: (name: string) => void;
  onClose: () => void;
}

function FolderFinder({ name, onName, onClose }: FolderFinderProps) {
  const t = useT();
  const { text, field } = useDebouncedInput(name, onName);
  return (
    <input
      // biome-ignore lint/a11y/noAutofocus: the user opened it to type
      autoFocus
      type="search"
      aria-label={t("home.findFolder")}
      placeholder={t("home.findFolderHint")}
      maxLength={folderNameMaxLength}
      autoComplete="off"
      {...field}
      onKeyDown={(event) => {
        if (event.key === "Escape" && text === "" && !event.nativeEvent.isComposing) onClose();
        else field.onKeyDown(event);
      }}
      className="h-9 w-64 max-w-full rounded-m [&::-webkit-search-cancel-button]:hidden border border-rule-control bg-sheet px-3.5 text-sm hover:border-rule-strong"
    />
  );
}

/** A ref for an element; calls `onNear` when it comes within 600 px of the viewport. */
function useNearViewport(onNear: () => void): RefCallback<Element> {
  const handleNear = useEffectEvent(onNear);
  return useCallback((element: Element | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting) handleNear();
      },
      { rootMargin: "600px" },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
}

/**
 * The chips of `chipPagesQuery`. If no loaded page has the chosen folder, it is looked up in the whole tree; `isDeleted`:
 * it is not there either.
 */
function useChips(name: string, chosen: string | null | undefined) {
  const query = useInfiniteQuery({
    ...chipPagesQuery(name),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: "always",
  });
  const folders = listChips(query.data?.pages ?? []);
  const missing =
    typeof chosen === "string" && query.isSuccess && !folders.some(({ id }) => id === chosen);
  const tree = api.folders.list.useQuery(undefined, { enabled: missing });
  const chosenFolder = missing ? tree.data?.folders.find(({ id }) => id === chosen) : undefined;
  return {
    query,
    folders,
    chosenFolder,
    isDeleted: missing && tree.isSuccess && !tree.isFetching && chosenFolder === undefined,
    counts: query.data?.pages[0],
  };
}
