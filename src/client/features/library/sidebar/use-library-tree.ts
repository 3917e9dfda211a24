import { useCallback, useRef, useState } from "react";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { initialState, type TreeState, useTreeCommands } from "./use-tree-commands.ts";
import { useTreeRows } from "./use-tree-rows.ts";

const noFolders: FolderTree = { roots: [], byId: new Map(), total: 0, uncategorized: 0 };

interface LibraryTreeOptions {
  /** Of the folders, by name otherwise. */
  order?: "name" | "newest";
  onOpen: (id: string) => void;
  /** Shows the lectures of a folder elsewhere: then the tree has folders alone. */
  onChoose?: (folderId: string | null) => void;
}

/** The state of the tree of folders and lectures, and what can be done in it. */
export function useLibraryTree({ order, onOpen, onChoose }: LibraryTreeOptions) {
  const { query: folders, tree: loadedTree } = useFolderTree(order);
  const tree = loadedTree ?? noFolders;
  const [query, setQuery] = useState("");
  const [clearCount, setClearCount] = useState(0);
  const [state, setState] = useState(initialState);
  const scroller = useRef<HTMLDivElement>(null);
  const focusRequest = useRef<string | null>(null);
  const { draft } = state;
  const rows = useTreeRows(tree, query.trim(), { draft, foldersOnly: onChoose !== undefined });
  const change = useCallback(
    (part: Partial<TreeState>) => setState((now) => ({ ...now, ...part })),
    [],
  );
  const focus = (key: string) => {
    focusRequest.current = key;
    change({ activeKey: key });
  };
  const clearSearch = () => {
    setQuery("");
    setClearCount((count) => count + 1);
  };
  const commands = useTreeCommands({
    tree,
    rows,
    state,
    change,
    focus,
    clearSearch,
    onOpen,
    onChoose,
  });
  return {
    folders,
    tree,
    isLoaded: loadedTree !== null,
    rows,
    state,
    commands,
    query,
    setQuery,
    /** Changes when text that was typed and not yet searched for is discarded. */
    clearCount,
    scroller,
    focusRequest,
    onOpen,
  };
}

export type LibraryTree = ReturnType<typeof useLibraryTree>;
