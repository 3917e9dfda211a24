import { KeepView } from "#client/features/keep/keep-view.tsx";
import { LibraryPage } from "./library-page.tsx";

export default function KeepPage() {
  return (
    <LibraryPage measure="reading">
      <KeepView />
    </LibraryPage>
  );
}
