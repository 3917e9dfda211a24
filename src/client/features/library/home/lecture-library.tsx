import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { useT } from "#client/features/library/sidebar/messages/index.ts";
import { LibraryMenu } from "#client/features/library/sidebar/sidebar-head.tsx";
import { TreeOverlays } from "#client/features/library/sidebar/tree-overlays.tsx";
import { useLibraryTree } from "#client/features/library/sidebar/use-library-tree.ts";
import { useLatch } from "#client/lib/hooks.ts";
import { lazyPart } from "#client/lib/lazy.tsx";
import { useBookWindow } from "#client/lib/media-queries.ts";
import { FolderColumn, type FolderOrder } from "./folder-column.tsx";
import { LectureList } from "./lecture-list.tsx";
import { foldersClass, ListHead, listClass } from "./list-head.tsx";

const FoldersDialog = lazyPart(async () => ({
  default: (await import("#client/ui/dialog.tsx")).Dialog,
}));

interface LectureLibraryProps {
  /** A folder; null: lectures in no folder; undefined: all. */
  folderId: string | null | undefined;
  /** `isGone`: the folder that was chosen before does not exist. */
  onFolder: (folderId: string | null | undefined, isGone?: boolean) => void;
  order: FolderOrder;
  onOrder: (order: FolderOrder) => void;
  usage: ReactNode;
  /** As in `FolderColumn`. */
  shared: (className: string) => ReactNode;
  /** What a search has found, in place of the lectures. */
  results: ReactNode;
}

/** The folders, and the lectures of the chosen one. */
export default function LectureLibrary(props: LectureLibraryProps) {
  const { folderId, onFolder, order, onOrder, usage, shared, results } = props;
  const t = useT();
  const navigate = useNavigate();
  const isWide = useBookWindow();
  const [isChoosing, setChoosing] = useState(false);
  const wasChoosing = useLatch(isChoosing);
  const choose = (id: string | null | undefined) => {
    setChoosing(false);
    onFolder(id);
  };
  const library = useLibraryTree({
    order,
    onOpen: (id) => void navigate({ to: "/record", search: { lecture: id } }),
    onChoose: choose,
  });
  const { tree, folders, isLoaded, commands } = library;
  const folder = typeof folderId === "string" ? tree.byId.get(folderId) : undefined;
  const isGone =
    typeof folderId === "string" && isLoaded && !folders.isFetching && folder === undefined;
  useEffect(() => {
    if (isGone) onFolder(undefined, true);
  }, [isGone, onFolder]);

  const title =
    folderId === undefined
      ? t("home.title")
      : folderId === null
        ? t("tree.uncategorized")
        : (folder?.name ?? "");
  const column = (
    <FolderColumn
      library={library}
      chosen={folderId}
      onAll={() => choose(undefined)}
      order={order}
      onOrder={onOrder}
      usage={usage}
      shared={shared}
    />
  );
  const renderHead = (select: ReactNode) => (
    <ListHead title={title} {...(!isWide && { onFolders: () => setChoosing(true) })}>
      {select}
      {isWide ? null : (
        <LibraryMenu
          commands={commands}
          lectures={tree.total}
          ready={isLoaded}
          folderId={folderId ?? null}
          className="-mr-2"
        />
      )}
    </ListHead>
  );
  return (
    <>
      {isWide ? (
        <nav aria-label={t("home.folders")} className={foldersClass}>
          <div className="sticky top-4 grid max-h-[calc(100dvh-2rem)]">{column}</div>
        </nav>
      ) : null}
      <section className={listClass}>
        {results ? (
          <>
            {renderHead(null)}
            {results}
          </>
        ) : (
          <LectureList
            key={folderId}
            folderId={folderId}
            library={library}
            renderHead={renderHead}
          />
        )}
      </section>
      {isWide || !wasChoosing ? null : (
        <FoldersDialog
          open={isChoosing}
          onClose={() => setChoosing(false)}
          title={t("home.folders")}
        >
          {column}
        </FoldersDialog>
      )}
      <TreeOverlays library={library} />
    </>
  );
}
