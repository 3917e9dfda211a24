import { TrashView } from "../features/lectures/trash/trash-view.tsx";
import { useT } from "../i18n/index.ts";
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
