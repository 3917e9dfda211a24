import { getRouteApi } from "@tanstack/react-router";
import { askMessages } from "#client/features/ask/messages/index.ts";
import { useT } from "#client/i18n/library/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { visitor } from "#client/state/visitor.ts";
import { CardListSkeleton } from "#client/ui/lists/card-skeleton.tsx";
import { LibraryContent, LibraryHeader, LibraryPage, LibraryProvider } from "./library-page.tsx";

const AskPage = lazyPage(() => import("#client/features/ask/ask-page.tsx"), askMessages);
export const parts = [LibraryProvider, AskPage];

const route = getRouteApi("/ask");

/** As high as the window: the questions scroll, and the field is always in view. */
export default function AskRoute() {
  const t = useT();
  const { folder } = route.useSearch();
  const { kind } = useValue(visitor);
  useTitle(t("title.ask"));
  if (kind !== "user") return <LibraryPage measure="reading">{null}</LibraryPage>;
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] overflow-hidden">
      <LibraryHeader />
      <main
        id="content"
        className="relative grid min-h-0 grid-cols-[minmax(0,1fr)] grid-rows-[minmax(0,1fr)_auto]"
      >
        <LibraryContent
          fallback={
            <div className="page-frame w-full pt-9 *:max-w-reading max-sm:pt-6">
              <CardListSkeleton />
            </div>
          }
        >
          <AskPage folderId={folder ?? null} />
        </LibraryContent>
      </main>
    </div>
  );
}
