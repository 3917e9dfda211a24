import type { ComponentProps } from "react";
import { Sidebar } from "../features/lectures/sidebar/sidebar.tsx";
import { DataProvider } from "../lib/queries.tsx";

export default function RecordSidebar(props: ComponentProps<typeof Sidebar>) {
  return (
    <DataProvider>
      <Sidebar {...props} />
    </DataProvider>
  );
}
