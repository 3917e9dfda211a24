import { libraryMessages, useT } from "#client/i18n/library/index.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { LibraryContent, LibraryPage, LibraryProvider } from "./library-page.tsx";

const RecordingsView = lazyPage(
  () => import("#client/features/library/recordings/recordings-view.tsx"),
  libraryMessages,
);
export const parts = [LibraryProvider, RecordingsView];

export default function RecordingsPage() {
  const t = useT();
  useTitle(t("title.recordings"));
  return (
    <LibraryPage measure="wide">
      <LibraryContent>
        <RecordingsView />
      </LibraryContent>
    </LibraryPage>
  );
}
