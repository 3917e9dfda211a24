import { useNavigate } from "@tanstack/react-router";
import { Download, Ellipsis, FolderPlus, Search, Trash2, Upload, X } from "lucide-react";
import { type ReactNode, useRef } from "react";
import { useSearchFocusRequest } from "#client/lib/focus.ts";
import { useDebouncedInput } from "#client/lib/use-debounced-input.ts";
import { IconButton } from "#client/ui/button.tsx";
import { Menu } from "#client/ui/menu.tsx";
import type { MenuEntry } from "#client/ui/menu-entries.tsx";
import { searchQueryMaxLength } from "#shared/limits.ts";
import { useT } from "./messages/index.ts";
import type { TreeCommands } from "./use-tree-commands.ts";

interface SearchBoxProps {
  query: string;
  label: string;
  /** The shortcut of the page's search leads here. */
  isPageSearch: boolean;
  onSearch: (query: string) => void;
  /** The Down key moves from the field to the tree. */
  onDown: () => void;
}

export function SearchBox({ query, label, isPageSearch, onSearch, onDown }: SearchBoxProps) {
  const t = useT();
  const none = useRef<HTMLElement>(null);
  const search = useDebouncedInput(query, onSearch);
  const field = useRef<HTMLInputElement>(null);
  useSearchFocusRequest(isPageSearch ? field : none);
  return (
    <div className="relative mx-1 mb-2">
      <Search className="pointer-events-none absolute top-1/2 left-2.5 size-4 -translate-y-1/2 text-ink-3" />
      <input
        {...search.field}
        ref={field}
        type="search"
        aria-label={label}
        placeholder={label}
        maxLength={searchQueryMaxLength}
        autoComplete="off"
        onKeyDown={(event) => {
          search.field.onKeyDown(event);
          if (event.key !== "ArrowDown" || event.nativeEvent.isComposing) return;
          event.preventDefault();
          onDown();
        }}
        className="touch-target w-full truncate rounded-m border border-rule-control bg-sheet py-1.5 pr-2 not-placeholder-shown:pr-8 pl-8.5 text-ink text-sm transition-colors duration-150 ease-quiet hover:border-rule-strong [&::-webkit-search-cancel-button]:hidden"
      />
      {search.text ? (
        <button
          type="button"
          aria-label={t("tree.clearSearch")}
          title={t("tree.clearSearch")}
          onClick={() => {
            search.set("");
            field.current?.focus();
          }}
          className="absolute inset-y-0 right-0 grid w-8 place-items-center rounded-s text-ink-2 hover:text-ink pointer-coarse:w-11"
        >
          <X className="size-4" />
        </button>
      ) : null}
    </div>
  );
}

interface SidebarHeadProps {
  onClose: () => void;
  /** Buttons. */
  children?: ReactNode;
}

export function SidebarHead({ onClose, children }: SidebarHeadProps) {
  const t = useT();
  return (
    <div className="mb-1 flex items-center gap-0.5 pr-1 pl-2.5">
      <h2 className="mr-auto font-[550] text-ink-3 text-xs">{t("sidebar.title")}</h2>
      {children}
      <IconButton icon={X} label={t("sidebar.hide")} onClick={onClose} className="size-8" />
    </div>
  );
}

interface LibraryToolsProps {
  commands: TreeCommands;
  lectures: number;
  /** False until the folders are loaded. */
  ready: boolean;
}

export function LibraryTools(props: LibraryToolsProps) {
  const t = useT();
  return (
    <>
      <IconButton
        icon={FolderPlus}
        label={t("tree.addFolder")}
        disabled={!props.ready}
        onClick={() => props.commands.addFolder(null)}
        className="size-8"
      />
      <LibraryMenu {...props} />
    </>
  );
}

interface LibraryMenuProps extends LibraryToolsProps {
  /** The folder of what is imported; null: none. */
  folderId?: string | null;
  /** Before those that delete. */
  more?: readonly MenuEntry[];
  className?: string;
}

export function LibraryMenu(props: LibraryMenuProps) {
  const { commands, lectures, ready, folderId = null, more = [], className = "" } = props;
  const t = useT();
  const navigate = useNavigate();
  const { addFolder, openDialog } = commands;
  const create = () => addFolder(null);
  const openImport = () => openDialog({ kind: "import", folderId });
  const exportAll = () => openDialog({ kind: "export", target: { kind: "everything" } });
  const openTrash = () => void navigate({ to: "/trash" });
  const deleteAll = () => openDialog({ kind: "deleteAll", lectures });
  const entries: MenuEntry[] = [
    { key: "add", icon: FolderPlus, label: t("tree.addFolder"), run: create },
    { key: "import", icon: Upload, label: t("tree.import"), run: openImport },
    { key: "export", icon: Download, label: t("tree.exportAll"), run: exportAll },
    ...more,
    { key: "trash", icon: Trash2, label: t("tree.trash"), run: openTrash },
    { key: "all", icon: Trash2, label: t("tree.deleteAll"), run: deleteAll, destructive: true },
  ];
  return (
    <Menu
      heading={t("sidebar.title")}
      trigger={{
        "aria-label": t("tree.more"),
        title: t("tree.more"),
        disabled: !ready,
        className: `touch-target inline-grid size-8 shrink-0 place-items-center rounded-s text-ink-2 transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink disabled:opacity-45 ${className}`,
        children: <Ellipsis className="size-4" />,
      }}
      // After the menu has returned the focus.
      entries={entries.map((entry) => ({ ...entry, run: () => setTimeout(entry.run) }))}
    />
  );
}
