import type { ComponentProps } from "react";
import { LibrarySidebar } from "#client/features/library/sidebar/library-sidebar.tsx";
import { openDialog } from "#client/features/recording/screen-state.ts";
import { SideHeader } from "#client/features/shell/side-header.tsx";
import LibraryProvider from "./library-provider.tsx";

/** The library over the page of a lecture, with what the header of the other pages has. */
export default function RecordSidebar(
  props: Omit<ComponentProps<typeof LibrarySidebar>, "header">,
) {
  return (
    <LibraryProvider>
      <LibrarySidebar
        {...props}
        header={
          <SideHeader
            onSettings={() => {
              props.onClose();
              openDialog("settings");
            }}
          />
        }
      />
    </LibraryProvider>
  );
}
