import type { ComponentProps } from "react";
import { Sidebar } from "#client/features/library/sidebar/library-sidebar.tsx";
import { LibraryProvider } from "./library-provider.tsx";

export default function RecordSidebar(props: ComponentProps<typeof Sidebar>) {
  return (
    <LibraryProvider>
      <Sidebar {...props} />
    </LibraryProvider>
  );
}
