import { Link, useNavigate } from "@tanstack/react-router";
import { useRef } from "react";
import { useLanguage } from "#client/i18n/bundle.ts";
import { toApiError } from "#client/lib/call-server.ts";
import { useQuestions } from "#client/state/ask.ts";
import { getPath } from "#client/state/library/folder-tree.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { getButtonClass } from "#client/ui/button.tsx";
import { FolderPath } from "#client/ui/folder-path.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import type { CitedRow } from "#shared/question.ts";
import { ConversationView } from "./conversation-view.tsx";
import { DeleteAll } from "./delete-all.tsx";
import { useT } from "./messages/index.ts";

const frameClass = "page-frame *:max-w-reading";

/** The questions about the lectures of a folder and of those below it; `folderId` null: about all lectures. */
export default function AskPage({ folderId }: { folderId: string | null }) {
  const t = useT();
  const language = useLanguage();
  const navigate = useNavigate();
  const field = useRef<HTMLTextAreaElement>(null);
  const { tree } = useFolderTree();
  const scope = { lectureId: null, folderId };
  const { error } = useQuestions(scope);

  function openRow({ lectureId, position, startMs }: CitedRow) {
    void navigate({
      to: "/record",
      search: { lecture: lectureId, row: position },
      // Back returns to the answer.
      state: { fromList: true, rowStartMs: startMs },
    });
  }

  const head = (
    <div className="pt-9 pb-4 max-sm:pt-6">
      <FolderPath
        label={t("ask.path")}
        to="/ask"
        folders={[{ id: null, name: t("ask.root") }, ...(tree ? getPath(tree, folderId) : [])]}
      />
      <PageHead title={t("ask.title")} action={<DeleteAll scope={scope} />} />
    </div>
  );
  if (error && toApiError(error).code === "not_found")
    return (
      <div className={`${frameClass} w-full`}>
        {head}
        <Placeholder role="alert" title={t("ask.goneFolder")} text={t("ask.goneFolderHint")}>
          <Link to="/ask" className={getButtonClass()}>
            {t("ask.toRoot")}
          </Link>
        </Placeholder>
      </div>
    );
  return (
    <ConversationView
      key={folderId}
      scope={scope}
      answerIn={language === "zh" ? "zh-cn" : "en"}
      prepare={async () => true}
      field={field}
      frameClass={frameClass}
      head={head}
      hint={t(folderId === null ? "ask.emptyAll" : "ask.emptyFolder")}
      onOpen={openRow}
    />
  );
}
