import { trashMessages, useT } from "#client/features/trash/messages/index.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { LibraryContent, LibraryPage, LibraryProvider } from "./library-page.tsx";

const TrashView = lazyPage(() => import("#client/features/trash/trash-view.tsx"), trashMessages);
export const parts = [LibraryProvider, TrashView];

export default function TrashPage() {
  const t = useT();
  useTitle(t("title.trash"));
  return (
    <LibraryPage measure="wide">
      <LibraryContent>
        <TrashView />
      </LibraryContent>
    </LibraryPage>
  );
}
