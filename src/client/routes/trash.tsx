import { useT } from "../features/lectures/trash/messages/index.ts";
import { TrashView } from "../features/lectures/trash/trash-view.tsx";
import { useTitle } from "../lib/title.ts";
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
