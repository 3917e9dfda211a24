import { useNavigate } from "@tanstack/react-router";
import { CornerDownRight, Square, X } from "lucide-react";
import { type FolderTree, getPath, listFolders } from "#client/state/library/folder-tree.ts";
import { Button, IconButton } from "#client/ui/button.tsx";
import { GrowingTextarea } from "#client/ui/growing-textarea.tsx";
import { Select } from "#client/ui/select.tsx";
import { useT } from "./messages/index.ts";
import { CharactersLeft, type QuestionProps, useQuestion } from "./question-form.tsx";

/** Of all lectures, among the folders. */
const all = "";

interface AskBoxProps extends QuestionProps {
  /** Null while it is loaded. */
  tree: FolderTree | null;
  folderId: string | null;
  /** The question whose answer the next one follows up; null for a new one. */
  followed: string | null;
  onUnfollow: () => void;
}

/** The field for a question about many lectures, and which ones. */
export function AskBox({ tree, folderId, followed, onUnfollow, ...props }: AskBoxProps) {
  const { conversation, isAnswering } = props;
  const t = useT();
  const navigate = useNavigate();
  const { draft, offline, canAsk, ask, fieldProps } = useQuestion(props);
  const folders = tree ? listFolders(tree.roots) : [];
  const scopes = [
    { value: all, label: t("ask.root", { count: tree?.total ?? 0 }) },
    ...folders.map(({ id }) => ({
      value: id,
      label: tree
        ? getPath(tree, id)
            .map(({ name }) => name)
            .join(" › ")
        : "",
    })),
  ];

  return (
    <form
      onSubmit={ask}
      className="mt-5 grid gap-2 rounded-l border border-rule-control bg-sheet p-3 transition-colors duration-150 ease-quiet focus-within:border-ink"
    >
      {followed === null ? null : (
        <p className="flex min-w-0 items-center gap-2 ps-2 text-ink-2 text-sm">
          <CornerDownRight className="size-3.5 shrink-0 text-ink-3" />
          <span className="min-w-0 truncate">{t("ask.followsUp", { question: followed })}</span>
          <IconButton
            icon={X}
            label={t("ask.new")}
            onClick={onUnfollow}
            className="ms-auto size-7"
          />
        </p>
      )}
      <GrowingTextarea
        {...fieldProps}
        rows={2}
        placeholder={t("ask.placeholder")}
        className="max-h-48 min-h-14 resize-none bg-transparent px-2 py-1 text-[1rem] leading-normal outline-none"
      />
      {offline ? (
        <p role="status" className="px-2 text-pretty text-ink-2 text-sm">
          {t("ask.offline")}
        </p>
      ) : null}
      <CharactersLeft draft={draft} />
      <div className="flex min-w-0 items-center justify-between gap-2">
        {folders.length > 0 ? (
          <Select
            label={t("ask.scope")}
            value={folderId ?? all}
            options={scopes}
            onChange={(value) =>
              void navigate({ to: "/ask", search: value === all ? {} : { folder: value } })
            }
            className="border-transparent bg-transparent font-[550]"
          />
        ) : (
          <span />
        )}
        {isAnswering ? (
          <Button onClick={() => conversation.stop()}>
            <Square className="size-3.5 fill-current" />
            {t("ask.stop")}
          </Button>
        ) : (
          <Button look="ink" type="submit" disabled={!canAsk}>
            {t("ask.send")}
          </Button>
        )}
      </div>
    </form>
  );
}
