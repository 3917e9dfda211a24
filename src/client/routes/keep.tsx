import { KeepView } from "#client/features/keep/keep-view.tsx";
import { LibraryPage } from "./library-page.tsx";

export default function KeepPage() {
  return (
    <LibraryPage width="max-w-190">
      <KeepView />
    </LibraryPage>
  );
}
