import type { ComponentProps } from "react";
import { LibrarySidebar } from "#client/features/library/sidebar/library-sidebar.tsx";
import LibraryProvider from "./library-provider.tsx";

export default function RecordSidebar(props: ComponentProps<typeof LibrarySidebar>) {
  return (
    <LibraryProvider>
      <LibrarySidebar {...props} />
    </LibraryProvider>
  );
}
