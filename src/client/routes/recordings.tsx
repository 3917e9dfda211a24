import { RecordingsView } from "#client/features/library/recordings/recordings-view.tsx";
import { useT } from "#client/i18n/library/index.ts";
import { useTitle } from "#client/lib/title.ts";
import { LibraryPage } from "./library-page.tsx";

export default function RecordingsPage() {
  const t = useT();
  useTitle(t("title.recordings"));
  return (
    <LibraryPage width="max-w-275">
      <RecordingsView />
    </LibraryPage>
  );
}
