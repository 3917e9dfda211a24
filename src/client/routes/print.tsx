import { getRouteApi } from "@tanstack/react-router";
import { printMessages } from "#client/i18n/print/index.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { LectureSkeleton } from "#client/ui/loading.tsx";
import { LibraryContent, LibraryPage, LibraryProvider } from "./library-page.tsx";

const route = getRouteApi("/print");

const PrintView = lazyPage(
  () => import("#client/features/export/print/print-view.tsx"),
  printMessages,
);
export const parts = [LibraryProvider, PrintView];

export default function PrintPage() {
  const search = route.useSearch();
  return (
    <LibraryPage measure="reading">
      <LibraryContent fallback={<LectureSkeleton />}>
        <PrintView search={search} />
      </LibraryContent>
    </LibraryPage>
  );
}
