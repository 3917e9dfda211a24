import { Link } from "@tanstack/react-router";
import { toApiError } from "#client/lib/call-server.ts";
import { getPath } from "#client/state/library/folder-tree.ts";
import { useGlossary } from "#client/state/library/glossary.ts";
import { useFolderTree } from "#client/state/library/use-folders.ts";
import { useLectures } from "#client/state/library/use-lectures.ts";
import { getStoredTargetLanguage } from "#client/state/preferences.ts";
import { Button, getButtonClass } from "#client/ui/button.tsx";
import { FolderPath } from "#client/ui/folder-path.tsx";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { PageHead } from "#client/ui/page-head.tsx";
import { Placeholder } from "#client/ui/placeholder.tsx";
import { isTranslationLanguage } from "#shared/languages.ts";
import { GlossaryEditor } from "./glossary-editor.tsx";
import { useT } from "./messages/index.ts";

/** The glossary of a folder; `folderId` null: of the whole library. */
export default function GlossaryView({ folderId }: { folderId: string | null }) {
  const t = useT();
  const query = useGlossary(folderId);
  const { query: folderQuery, tree } = useFolderTree();
  const { query: lectureQuery, lectures } = useLectures(folderId === null ? {} : { folderId });
  const isGone = query.isError && toApiError(query.error).code === "not_found";
  const isPending = query.isPending || folderQuery.isPending || lectureQuery.isPending;
  const languages = lectures.find(({ sourceLanguage }) => sourceLanguage !== "detect");
  const targets = [lectures[0]?.targetLanguage ?? "none", getStoredTargetLanguage()];
  return (
    <>
      <FolderPath
        label={t("glossary.path")}
        to="/glossary"
        folders={[{ id: null, name: t("glossary.root") }, ...(tree ? getPath(tree, folderId) : [])]}
      />
      <PageHead title={t("glossary.title")}>
        <p className="max-w-[64ch] text-pretty">
          {t(folderId === null ? "glossary.hintRoot" : "glossary.hint")}
        </p>
      </PageHead>
      {isGone ? (
        <Placeholder role="alert" title={t("glossary.gone")} text={t("glossary.goneHint")}>
          <Link to="/glossary" className={getButtonClass()}>
            {t("glossary.toRoot")}
          </Link>
        </Placeholder>
      ) : query.isError && !query.data ? (
        <Placeholder role="alert" title={t("glossary.failed")} text={t("glossary.failedHint")}>
          <Button onClick={() => void query.refetch()}>{t("common.retry")}</Button>
        </Placeholder>
      ) : isPending || !query.data ? (
        <CardListSkeleton />
      ) : (
        <GlossaryEditor
          key={folderId}
          folderId={folderId}
          stored={query.data}
          spoken={
            languages && languages.sourceLanguage !== "detect" ? languages.sourceLanguage : null
          }
          translated={targets.find(isTranslationLanguage) ?? "zh-cn"}
          getName={(id) => (id === null ? t("glossary.root") : (tree?.byId.get(id)?.name ?? ""))}
        />
      )}
    </>
  );
}
