import { useT } from "#client/features/trash/messages/index.ts";
import { TrashView } from "#client/features/trash/trash-view.tsx";
import { useTitle } from "#client/lib/title.ts";
import { LibraryPage } from "./library-page.tsx";

export default function TrashPage() {
  const t = useT();
  useTitle(t("title.trash"));
  return (
    <LibraryPage width="max-w-190">
      <TrashView />
    </LibraryPage>
  );
}
