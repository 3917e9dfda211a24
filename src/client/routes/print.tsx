import { getRouteApi } from "@tanstack/react-router";
import { parsePrintSearch } from "#client/features/export/print/print-search.ts";
import { PrintView } from "#client/features/export/print/print-view.tsx";
import { LibraryPage } from "./library-page.tsx";

const route = getRouteApi("/print");

export default function PrintPage() {
  const options = parsePrintSearch({ ...route.useSearch() });
  return (
    <LibraryPage width="max-w-[calc(210mm+3rem)]">
      <PrintView options={options} />
    </LibraryPage>
  );
}
