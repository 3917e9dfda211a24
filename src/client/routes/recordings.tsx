import { useT } from "../features/lectures/messages/index.ts";
import { RecordingsView } from "../features/lectures/recordings/recordings-view.tsx";
import { useTitle } from "../lib/title.ts";
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
