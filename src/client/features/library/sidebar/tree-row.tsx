import { ChevronRight, Ellipsis, Folder, Inbox, Plus } from "lucide-react";
import { memo, type ReactNode } from "react";
import { DemoBadge, UnsentBadge } from "#client/features/library/lecture-details.tsx";
import { OfflineBadge } from "#client/features/library/offline-texts.tsx";
import { useValue } from "#client/lib/hooks.ts";
import { isOffline } from "#client/state/offline.ts";
import { showFormulaLine } from "#client/ui/lazy-formula.tsx";
import { Skeleton } from "#client/ui/skeleton.tsx";
import { folderNameMaxLength, lectureNameMaxLength } from "#shared/limits.ts";
import { useT } from "./messages/index.ts";
import { NameField, type NameFieldProps } from "./name-field.tsx";
import { type FolderRow, type ItemRow, isFocusable, isGroup, type Row } from "./tree-rows.ts";
import type { TreeCommands } from "./use-tree-commands.ts";

export interface TreeRowProps {
  row: Row;
  /** Unique in the document. */
  id: string;
  /** Top in the list and height, px. */
  start: number;
  size: number;
  tabbable: boolean;
  selected: boolean;
  current: boolean;
  editing: boolean;
  /** Cut or being dragged. */
  isMoving: boolean;
  /** The dragged item would be dropped here. */
  isDropTarget: boolean;
  commands: TreeCommands;
  /** Missing in a tree of folders alone. */
  onNew: (() => void) | undefined;
}

/** Ids of what a row has beside its name. */
function listDescriptions(row: Row, id: string, offline: boolean): string | undefined {
  if (row.kind === "folder") return `${id}-count`;
  if (row.kind !== "lecture") return undefined;
  const { status, hasDemoText } = row.lecture;
  const names = [status === "draft" && "draft", hasDemoText && "demo", offline && "offline"];
  const shown = names.filter((name) => name !== false);
  return shown.map((name) => `${id}-${name}`).join(" ") || undefined;
}

const indentPx = 14;
/** Deeper levels are not indented further, to leave space for names. */
const maxIndentLevel = 9;

export const TreeRow = memo(function TreeRow(props: TreeRowProps) {
  const { row, id, start, size, tabbable, selected, current, isMoving, isDropTarget, commands } =
    props;
  const offline = useValue(isOffline);
  const focusable = isFocusable(row);
  const isTreeItem = focusable || row.kind === "draft";
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all rows
    // biome-ignore lint/a11y/noStaticElementInteractions: a clickable row has its role in the spread props
    <div
      {...(isTreeItem && {
        role: "treeitem",
        "aria-level": row.level,
        "aria-selected": selected,
        "aria-labelledby": row.kind === "draft" ? undefined : `${id}-name`,
        "aria-describedby": listDescriptions(row, id, offline),
        "aria-expanded": isGroup(row) && row.canExpand ? row.open : undefined,
        "aria-posinset": row.position,
        "aria-setsize": row.size ?? -1,
        tabIndex: tabbable ? 0 : -1,
      })}
      aria-current={current || undefined}
      id={id}
      data-tree-row={row.key}
      data-drop-folder={row.folderId ?? ""}
      onClick={(event) => {
        const inside = event.target instanceof Element && event.target.closest("button, input");
        if (!inside && focusable && !props.editing) commands.activate(row);
      }}
      className={`group absolute inset-x-0 top-0 flex select-none flex-col justify-center rounded-s pr-1 text-ink-2 ${props.onNew ? "text-sm" : "text-base"} -outline-offset-2 transition-colors duration-150 ease-quiet [-webkit-touch-callout:none] ${focusable ? "cursor-pointer" : ""} ${row.kind === "uncategorized" && props.onNew ? "focus-visible:outline-none" : focusable ? "hover:bg-paper-3 hover:text-ink" : ""} aria-[current]:bg-paper-3 aria-[current]:font-[550] aria-[current]:text-ink ${isDropTarget ? "bg-jade-wash text-ink outline-2 outline-jade" : ""} ${isMoving ? "opacity-50" : ""}`}
      style={{
        height: size,
        transform: `translateY(${start}px)`,
        paddingLeft: 8 + Math.min(row.level - 1, maxIndentLevel) * indentPx,
      }}
    >
      <Content {...props} />
    </div>
  );
});

/** With a mouse, the button of the row's menu takes its place. */
const besideMenuClass = "group-focus-within:hidden group-hover:hidden pointer-coarse:inline!";
const lineClass = "flex min-w-0 items-center gap-2";

function Content(props: TreeRowProps) {
  const { row, id, commands, onNew } = props;
  const t = useT();
  switch (row.kind) {
    case "folder":
      return (
        <ItemLine
          {...props}
          row={row}
          icon={onNew ? <Chevron open={row.open} /> : <FolderIcon row={row} commands={commands} />}
          nameClass={onNew ? "font-medium" : ""}
          detail={<LectureCount id={id} node={row.node} />}
          field={{ label: t("tree.folderName"), maxLength: folderNameMaxLength }}
        />
      );
    case "lecture":
      return (
        <ItemLine
          {...props}
          row={row}
          icon={<span className="w-4 shrink-0" />}
          nameClass=""
          detail={
            <>
              <DemoBadge lecture={row.lecture} id={`${id}-demo`} />
              <OfflineBadge
                lectureId={row.lecture.id}
                id={`${id}-offline`}
                className={`ml-auto pr-1.5 ${besideMenuClass}`}
              />
              <UnsentBadge lecture={row.lecture} className={`mr-1 ml-auto ${besideMenuClass}`} />
              {row.lecture.status === "draft" ? (
                <span
                  id={`${id}-draft`}
                  className={`ml-auto shrink-0 pr-1.5 text-ink-3 text-xs ${besideMenuClass}`}
                >
                  {t("home.draft")}
                </span>
              ) : null}
            </>
          }
          field={{
            label: t("lecture.name"),
            placeholder: t("tree.lectureName"),
            maxLength: lectureNameMaxLength,
          }}
        />
      );
    case "uncategorized":
      if (!onNew)
        return (
          <div className={lineClass}>
            <Inbox className="size-4 shrink-0 text-ink-3" />
            <Name id={id} className="">
              {t("tree.uncategorized")}
            </Name>
            <span className="tabular ml-auto shrink-0 pr-1.5 text-ink-3 text-xs">{row.count}</span>
          </div>
        );
      // The heading of lectures without a folder, and the New Lecture button below it: as high as two rows.
      return (
        <>
          <div
            className={`${lineClass} -mr-1 -ml-2 mt-2.5 flex-1 rounded-s pr-1 pl-2 -outline-offset-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 group-focus-visible:outline-2 group-focus-visible:outline-ink`}
          >
            <Chevron open={row.open} />
            <Name id={id} className="font-[550] text-ink-3 text-xs">
              {t("tree.uncategorized")}
            </Name>
            <span className="tabular ml-auto shrink-0 pr-1.5 text-ink-3 text-xs">{row.count}</span>
          </div>
          <button
            type="button"
            onClick={onNew}
            className="-mr-1 -ml-2 flex h-8 items-center pl-5.5 gap-2 rounded-s text-left pointer-coarse:h-11 text-ink-2 transition-colors duration-150 ease-quiet -outline-offset-2 hover:bg-paper-3 hover:text-ink"
          >
            <Plus className="size-4" />
            {t("sidebar.newLecture")}
          </button>
        </>
      );
    case "draft":
      return (
        <div className={lineClass}>
          <Folder className="size-4 shrink-0 text-ink-3" />
          <NameField
            label={t("tree.newFolderName")}
            name=""
            placeholder={t("tree.folderName")}
            maxLength={folderNameMaxLength}
            onDone={commands.finishDraft}
          />
        </div>
      );
    case "empty":
      return (
        <span aria-hidden="true" className="pl-6 text-ink-3 text-xs">
          {t("tree.emptyFolder")}
        </span>
      );
    case "more":
      return row.remaining === "failed" ? (
        <span id={`${id}-name`} className="pl-6 text-warn">
          {t("tree.loadFailed")}
        </span>
      ) : (
        <Skeleton className="ml-6 h-3.5 w-1/2" />
      );
  }
}

interface ItemLineProps extends Pick<TreeRowProps, "id" | "editing" | "commands"> {
  row: ItemRow;
  icon: ReactNode;
  nameClass: string;
  /** Beside the name, unless it is being edited. */
  detail: ReactNode;
  field: Pick<NameFieldProps, "label" | "placeholder" | "maxLength">;
}

function ItemLine(props: ItemLineProps) {
  const { row, id, icon, nameClass, detail, field, editing, commands } = props;
  const t = useT();
  const { name } = row.item;
  const isUnnamed = row.kind === "lecture" && row.lecture.titleSource === "date";
  return (
    <div className={lineClass}>
      {icon}
      {editing ? (
        <NameField
          {...field}
          name={isUnnamed ? "" : name}
          onDone={(newName, returnFocus) => commands.finishRename(row, newName, returnFocus)}
        />
      ) : (
        <>
          <Name id={id} className={nameClass}>
            {name || t("home.untitled")}
          </Name>
          {detail}
          <MenuButton row={row} commands={commands} />
        </>
      )}
    </div>
  );
}

/** Expands a folder with subfolders, in a tree whose rows are chosen. */
function FolderIcon({ row, commands }: { row: FolderRow; commands: TreeCommands }) {
  if (!row.canExpand) return <Folder className="size-4 shrink-0 text-ink-3" />;
  return (
    <button
      type="button"
      // The keyboard expands it from the row.
      tabIndex={-1}
      aria-hidden="true"
      onClick={() => commands.toggle(row)}
      className="touch-target -m-2 grid shrink-0 place-items-center rounded-s p-2 hover:bg-rule"
    >
      <Chevron open={row.open} />
    </button>
  );
}

function Chevron({ open }: { open: boolean }) {
  return (
    <ChevronRight
      className={`size-4 shrink-0 text-ink-3 transition-transform duration-150 ease-quiet ${open ? "rotate-90" : ""}`}
    />
  );
}

function Name({ id, className, children }: { id: string; className: string; children: string }) {
  return (
    // `auto` truncates an Arabic name at its end, on the left.
    <span id={`${id}-name`} dir="auto" title={children} className={`min-w-0 truncate ${className}`}>
      {showFormulaLine(children)}
    </span>
  );
}

function LectureCount({ id, node }: { id: string; node: FolderRow["node"] }) {
  const t = useT();
  const counts = t(node.children.length > 0 ? "tree.countBelow" : "tree.count", {
    own: node.lectures,
    all: node.lecturesBelow,
  });
  return (
    <>
      <span
        aria-hidden="true"
        title={counts}
        className={`tabular ml-auto shrink-0 pr-1.5 text-ink-3 text-xs ${besideMenuClass}`}
      >
        {node.lectures}
      </span>
      <span id={`${id}-count`} className="sr-only">
        {counts}
      </span>
    </>
  );
}

function MenuButton({ row, commands }: { row: ItemRow; commands: TreeCommands }) {
  const t = useT();
  const label = t("tree.menuOf", { name: row.item.name || t("home.untitled") });
  return (
    <button
      type="button"
      // The keyboard opens the menu from the row.
      tabIndex={-1}
      aria-label={label}
      aria-haspopup="menu"
      title={label}
      onClick={(event) => commands.openMenu(row, event.currentTarget)}
      className="ml-auto hidden size-7 shrink-0 place-items-center rounded-s text-ink-2 hover:bg-rule hover:text-ink group-focus-within:grid group-hover:grid pointer-coarse:ml-0 pointer-coarse:grid pointer-coarse:size-11"
    >
      <Ellipsis className="size-4" />
    </button>
  );
}
