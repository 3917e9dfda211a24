import { getRouteApi } from "@tanstack/react-router";
import { askMessages } from "#client/features/ask/messages/index.ts";
import { useT } from "#client/i18n/library/index.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { LibraryContent, LibraryPage, LibraryProvider } from "./library-page.tsx";

const AskPage = lazyPage(() => import("#client/features/ask/ask-page.tsx"), askMessages);
export const parts = [LibraryProvider, AskPage];

const route = getRouteApi("/ask");

export default function AskRoute() {
  const t = useT();
  const { folder } = route.useSearch();
  useTitle(t("title.ask"));
  return (
    <LibraryPage measure="question">
      <LibraryContent>
        <AskPage folderId={folder ?? null} />
      </LibraryContent>
    </LibraryPage>
  );
}
