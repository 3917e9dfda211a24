import { type ReactNode, useCallback, useMemo, useRef, useState } from "react";
import { ListAge } from "#client/features/library/offline-texts.tsx";
import { NoLectures } from "#client/features/library/record-link.tsx";
import { sidebarMessages, useT } from "#client/features/library/sidebar/messages/index.ts";
import {
  lectureKey,
  type LectureRow as TreeLecture,
} from "#client/features/library/sidebar/tree-rows.ts";
import { currentDrag, useDrag } from "#client/features/library/sidebar/use-drag.ts";
import type { LibraryTree } from "#client/features/library/sidebar/use-library-tree.ts";
import { useLanguage } from "#client/i18n/bundle.ts";
import { libraryMessages } from "#client/i18n/library/index.ts";
import { browserClock } from "#client/lib/clock.ts";
import { formatMonth, formatMonthOfYear } from "#client/lib/dates.ts";
import { toListSearch } from "#client/lib/home-search.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import type { MovableItem } from "#client/state/library/folder-tree.ts";
import { deleteLectures } from "#client/state/library/lecture-actions.ts";
import { useLectureDialogs } from "#client/state/library/lecture-dialogs.ts";
import { getListTitle } from "#client/state/library/list-texts.ts";
import { useCachedFolders } from "#client/state/library/use-folders.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { Button } from "#client/ui/button.tsx";
import { findNextFocus, moveFocus } from "#client/ui/lists/next-focus.ts";
import { getTotalCount, PagedList } from "#client/ui/lists/paged-list.tsx";
import type { LectureListItem } from "#shared/lecture.ts";
import { type AgeGroup, getAgeGroup, isSameGroup } from "./age-groups.ts";
import type { LectureAction } from "./lecture-menu.tsx";
import { LectureRow } from "./lecture-row.tsx";
import { SelectionBar } from "./selection-bar.tsx";

const LectureMenu = lazyPart(() => import("./lecture-menu.tsx"), sidebarMessages);
const ConfirmDialog = lazyPart(() => import("#client/ui/confirm-dialog.tsx"), libraryMessages);

interface LectureListProps {
  /** A folder; null: lectures in no folder; undefined: all. */
  folderId: string | null | undefined;
  library: LibraryTree;
  /** The list's heading, with the button that begins to select. */
  renderHead: (select: ReactNode) => ReactNode;
}

/** A dialog about one lecture or the selected ones. */
type Opened =
  | { kind: "move"; item: MovableItem; ids: readonly string[] }
  | { kind: "export"; lecture: LectureListItem }
  | { kind: "deleteMany"; ids: readonly string[] };

const noIds: ReadonlySet<string> = new Set();

/** The lectures, newest first, by the age of each. */
export function LectureList({ folderId, library, renderHead }: LectureListProps) {
  const t = useT();
  const { query, lectures, total } = useLectures(folderId === undefined ? {} : { folderId });
  const { getName, getLectureCount } = useCachedFolders();
  const { DeleteDialog, ExportDialog, MoveDialog } = useLectureDialogs();
  const [toDelete, setToDelete] = useState<LectureListItem | null>(null);
  const [opened, setOpened] = useState<Opened | null>(null);
  const [menu, setMenu] = useState<{ lecture: LectureListItem; anchor: Element } | null>(null);
  /** Null: nothing is being selected. */
  const [selection, setSelection] = useState<ReadonlySet<string> | null>(null);
  const [isLoadingAll, setLoadingAll] = useState(false);
  const loadDelete = useLatch(toDelete !== null);
  const nextFocus = useRef<HTMLElement | null>(null);
  const search = useMemo(() => toListSearch(undefined, folderId), [folderId]);
  const count = getTotalCount(total, getLectureCount(folderId), lectures.length);
  const { commands } = library;
  // What was deleted meanwhile is not selected any more.
  const selectedIds = lectures.flatMap(({ id }) => (selection?.has(id) ? [id] : []));
  const now = browserClock.now();
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const getAge = (lecture: LectureListItem) => getAgeGroup(lecture.createdAt, now, timeZone);

  const openMenu = useCallback(
    (lecture: LectureListItem, anchor: Element) => setMenu({ lecture, anchor }),
    [],
  );
  const select = useCallback((id: string, isSelected: boolean) => {
    setSelection((before) => {
      const next = new Set(before);
      if (isSelected) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  const handlePointerDown = useLectureDrag(library, lectures, openMenu);

  function choose(lecture: LectureListItem, action: LectureAction): void {
    if (action === "select") setSelection(new Set([lecture.id]));
    if (action === "export") setOpened({ kind: "export", lecture });
    if (action === "delete") setToDelete(lecture);
    if (action === "move") setOpened({ kind: "move", item: toItem(lecture), ids: [lecture.id] });
  }

  /** Also those that are not loaded yet. */
  async function selectAll(): Promise<void> {
    setLoadingAll(true);
    let result: Pick<typeof query, "data" | "hasNextPage" | "isError"> = query;
    while (result.hasNextPage && !result.isError) result = await query.fetchNextPage();
    const ids = result.data?.pages.flatMap(({ items }) => items.map(({ id }) => id));
    setSelection(new Set(ids));
    setLoadingAll(false);
  }

  function deleteSelected(): void {
    const isEverything = folderId === undefined && selectedIds.length === count;
    if (isEverything) commands.openDialog({ kind: "deleteAll", lectures: selectedIds.length });
    else setOpened({ kind: "deleteMany", ids: selectedIds });
  }

  function moveSelected(): void {
    const name = t("home.selected", { count: selectedIds.length });
    // From no folder in particular: each may be in another one.
    const item: MovableItem = { kind: "lecture", id: "", name, from: "" };
    setOpened({ kind: "move", item, ids: selectedIds });
  }

  const close = () => setOpened(null);
  return (
    <>
      {renderHead(
        lectures.length > 0 && selection === null ? (
          <Button look="quiet" size="small" className="-mr-3" onClick={() => setSelection(noIds)}>
            {t("home.select")}
          </Button>
        ) : null,
      )}
      {selection ? (
        <SelectionBar
          count={selectedIds.length}
          busy={isLoadingAll}
          onAll={() => void selectAll()}
          onMove={moveSelected}
          onDelete={deleteSelected}
          onDone={() => setSelection(null)}
        />
      ) : null}
      <ListAge query={query} />
      <div onPointerDown={selection ? undefined : handlePointerDown}>
        <PagedList
          name={`home ${search.folder ?? "all"}`}
          label={t("home.title")}
          query={query}
          items={lectures}
          total={count}
          estimatedHeight={90}
          failed={{ title: t("home.failed"), text: t("home.failedHint") }}
          empty={<NoLectures folderId={folderId} />}
          renderRow={(lecture, index) => {
            const age = getAge(lecture);
            const before = lectures[index - 1];
            const isFirst = !before || !isSameGroup(getAge(before), age);
            return (
              <>
                {isFirst ? <AgeHeading age={age} startedAt={lecture.createdAt} now={now} /> : null}
                <LectureRow
                  lecture={lecture}
                  age={age.kind}
                  folderName={folderId === undefined ? getName(lecture.folderId) : null}
                  search={search}
                  isSelected={selection?.has(lecture.id) ?? null}
                  onSelect={select}
                  onMenu={openMenu}
                />
              </>
            );
          }}
        />
      </div>
      {menu ? (
        <LectureMenu
          {...menu}
          search={search}
          onChoose={(action) => choose(menu.lecture, action)}
          onClose={() => setMenu(null)}
        />
      ) : null}
      {loadDelete ? (
        <DeleteDialog
          lecture={toDelete}
          onClose={() => setToDelete(null)}
          onDeleting={(deleting) => {
            nextFocus.current = deleting && toDelete ? findNextFocus(toDelete.id) : null;
          }}
          onDeleted={() => moveFocus(nextFocus.current)}
        />
      ) : null}
      {opened?.kind === "export" ? (
        <ExportDialog
          target={{
            kind: "lecture",
            id: opened.lecture.id,
            title: getListTitle(opened.lecture) || t("home.untitled"),
          }}
          onClose={close}
        />
      ) : null}
      {opened?.kind === "move" ? (
        <MoveDialog
          item={opened.item}
          onClose={close}
          onMove={(item, target) => {
            setSelection(null);
            if (item.id !== "") commands.move(item, target);
            else
              for (const lecture of lectures)
                if (opened.ids.includes(lecture.id) && lecture.folderId !== target)
                  commands.move(toItem(lecture), target);
          }}
        />
      ) : null}
      {opened?.kind === "deleteMany" ? (
        <ConfirmDialog
          open
          title={t("home.deleteMany", { count: opened.ids.length })}
          text={t("home.deleteManyText")}
          confirmLabel={t("delete.confirm")}
          busyLabel={t("delete.busy")}
          onClose={close}
          onConfirm={async () => {
            const isDeleted = await deleteLectures(opened.ids);
            if (isDeleted) setSelection(null);
            return isDeleted;
          }}
        />
      ) : null}
    </>
  );
}

interface AgeHeadingProps {
  age: AgeGroup;
  /** Of a lecture of this age. */
  startedAt: string;
  now: number;
}

function AgeHeading({ age, startedAt, now }: AgeHeadingProps) {
  const t = useT();
  const language = useLanguage();
  const isOfThisYear = age.kind === "month" && age.year === new Date(now).getFullYear();
  const formatAge = isOfThisYear ? formatMonth : formatMonthOfYear;
  return (
    <h2 className="pt-5 pb-1 font-[550] text-ink-3 text-sm max-sm:pt-3">
      {age.kind === "month" ? formatAge(startedAt, language) : t(`home.${age.kind}`)}
    </h2>
  );
}

function toItem(lecture: LectureListItem): MovableItem {
  const { id, folderId } = lecture;
  return { kind: "lecture", id, name: getListTitle(lecture), from: folderId };
}

/** A mouse drags lectures of the list onto folders of the tree; a finger that stays in place opens their menu. */
function useLectureDrag(
  { tree, rows, commands, scroller }: LibraryTree,
  lectures: readonly LectureListItem[],
  onHold: (lecture: LectureListItem, anchor: Element) => void,
) {
  const findLecture = (id: string | null | undefined) => lectures.find((one) => one.id === id);
  return useDrag({
    scroller,
    tree,
    findRow(element) {
      const key = element.closest("[data-tree-row]")?.getAttribute("data-tree-row");
      if (key) return rows.rows.find((row) => row.key === key);
      // Another lecture of the list is no place to drop one.
      if (currentDrag.get()) return undefined;
      const id = element.closest("[data-lecture]")?.getAttribute("data-lecture");
      const lecture = findLecture(id);
      return lecture && toTreeRow(lecture);
    },
    onDrop: commands.move,
    onExpand: commands.toggle,
    onHold({ item }) {
      const lecture = findLecture(item.id);
      const anchor = document.querySelector(`[data-lecture="${item.id}"]`);
      if (lecture && anchor) onHold(lecture, anchor);
    },
  });
}

const toTreeRow = (lecture: LectureListItem): TreeLecture => ({
  kind: "lecture",
  key: lectureKey(lecture.id),
  level: 1,
  folderId: lecture.folderId,
  lecture,
  item: toItem(lecture),
});
