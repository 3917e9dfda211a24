import type { ComponentProps } from "react";
import { Sidebar } from "../features/lectures/sidebar/sidebar.tsx";
import { DataProvider } from "../lib/queries.tsx";

/** The lectures beside the recording, with their data. */
export default function RecordSidebar(props: ComponentProps<typeof Sidebar>) {
  return (
    <DataProvider>
      <Sidebar {...props} />
    </DataProvider>
  );
}
