import { useEffect, useId, useMemo, useRef, useState } from "react";
import type { LectureListItem } from "../../../shared/lecture.ts";
import { folderNameMaxLength } from "../../../shared/limits.ts";
import { useT } from "../../i18n/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog, footClass } from "../../ui/dialog.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { inputClass } from "../../ui/text-field.tsx";
import { useFolderTree, useLectureActions } from "./data/library.ts";
import type { FolderNode, FolderTree } from "./data/tree.ts";

interface MoveDialogProps {
  lecture: Pick<LectureListItem, "id" | "title" | "folderId">;
  onClose: () => void;
}

/** Chooses the folder of a lecture. */
export default function MoveDialog({ lecture, onClose }: MoveDialogProps) {
  const t = useT();
  const { query, tree } = useFolderTree();
  const { move } = useLectureActions();
  const [chosen, setChosen] = useState(lecture.folderId);
  const [name, setName] = useState("");
  const folders = useMemo(() => (tree ? fitting(tree, name) : []), [tree, name]);

  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
      title={t("move.title")}
      description={lecture.title || t("home.untitled")}
      closeLabel={t("common.close")}
    >
      <form
        className="grid min-h-0 gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          if (chosen !== lecture.folderId) void move(lecture.id, chosen);
          onClose();
        }}
      >
        {query.isPending ? <Loading /> : null}
        {query.isError && !tree ? (
          <div role="alert" className="grid justify-items-start gap-3">
            <p className="text-ink-2">{t("home.failed")}</p>
            <Button size="small" onClick={() => void query.refetch()}>
              {t("common.retry")}
            </Button>
          </div>
        ) : null}
        {tree ? (
          <>
            {tree.byId.size > 8 ? (
              <input
                type="search"
                aria-label={t("home.findFolder")}
                placeholder={t("home.findFolderHint")}
                maxLength={folderNameMaxLength}
                autoComplete="off"
                value={name}
                onChange={(event) => setName(event.target.value)}
                // Enter in the field is not yet the choice.
                onKeyDown={(event) => {
                  if (event.key === "Enter") event.preventDefault();
                }}
                className={inputClass}
              />
            ) : null}
            <Choices folders={folders} chosen={chosen} onChoose={setChosen} />
          </>
        ) : null}
        <div className={footClass}>
          <Button onClick={onClose}>{t("common.cancel")}</Button>
          <Button type="submit" look="ink" disabled={!tree || chosen === lecture.folderId}>
            {t("move.confirm")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface ChoicesProps {
  folders: readonly FolderNode[];
  chosen: string | null;
  onChoose: (folderId: string | null) => void;
}

function Choices({ folders, chosen, onChoose }: ChoicesProps) {
  const t = useT();
  const group = useId();
  const list = useRef<HTMLFieldSetElement>(null);
  // Where it lies now is the place to start from.
  useEffect(() => {
    const box = list.current;
    const place = box?.querySelector(":checked")?.closest("label");
    if (box && place) box.scrollTop = place.offsetTop - box.clientHeight / 2;
  }, []);
  const choice = (id: string | null, label: string, depth: number) => (
    <label
      key={id}
      // Deep folders keep room for their names.
      style={{ paddingInlineStart: `${0.625 + Math.min(depth, 8) * 1}rem` }}
      className="touch-target flex cursor-pointer items-center gap-2.5 rounded-s py-1.5 pr-2.5 text-ink-2 text-sm [contain-intrinsic-size:auto_32px] [content-visibility:auto] hover:bg-paper-3 hover:text-ink has-checked:bg-seal-wash has-checked:font-[550] has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:-outline-offset-2 has-focus-visible:outline-seal"
    >
      <input
        type="radio"
        name={group}
        checked={chosen === id}
        onChange={() => onChoose(id)}
        className="accent-seal outline-none"
      />
      <span className="truncate">{label}</span>
    </label>
  );
  return (
    <fieldset ref={list} className="relative -mx-2 max-h-80 min-h-24 overflow-y-auto px-2">
      <legend className="sr-only">{t("move.folders")}</legend>
      {choice(null, t("move.none"), 0)}
      {folders.map(({ id, name, depth }) => choice(id, name, depth))}
      {folders.length === 0 ? (
        <p className="px-2.5 py-2 text-ink-3 text-sm">{t("home.noFolderFound")}</p>
      ) : null}
    </fieldset>
  );
}

/** The folders whose names contain `name`, each under the one that it lies in. */
function fitting(tree: FolderTree, name: string): FolderNode[] {
  const sought = name.trim().toLowerCase();
  const found: FolderNode[] = [];
  const waiting = tree.roots.toReversed();
  for (let node = waiting.pop(); node; node = waiting.pop()) {
    if (node.name.toLowerCase().includes(sought)) found.push(node);
    waiting.push(...node.children.toReversed());
  }
  return found;
}

function Loading() {
  const t = useT();
  return (
    <div role="status" aria-busy="true" className="grid gap-3">
      <span className="sr-only">{t("common.loading")}</span>
      <Skeleton className="h-5 w-2/3" />
      <Skeleton className="h-5 w-1/2" />
      <Skeleton className="h-5 w-3/5" />
    </div>
  );
}
