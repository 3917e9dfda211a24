import { getRouteApi } from "@tanstack/react-router";
import { glossaryMessages, useT } from "#client/features/glossary/messages/index.ts";
import { proposalMessages } from "#client/features/glossary/proposals/messages/index.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { LibraryContent, LibraryPage, LibraryProvider } from "./library-page.tsx";

const GlossaryView = lazyPage(
  () => import("#client/features/glossary/glossary-view.tsx"),
  glossaryMessages,
  proposalMessages,
);
export const parts = [LibraryProvider, GlossaryView];

const route = getRouteApi("/glossary");

export default function GlossaryPage() {
  const t = useT();
  const { folder } = route.useSearch();
  useTitle(t("title.glossary"));
  return (
    <LibraryPage measure="wide">
      <LibraryContent>
        <GlossaryView folderId={folder ?? null} />
      </LibraryContent>
    </LibraryPage>
  );
}
