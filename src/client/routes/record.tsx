import { SlidersHorizontal } from "lucide-react";
import { Suspense, useLayoutEffect } from "react";
import { recordingMessages, useT } from "#client/features/recording/messages/index.ts";
import { openDialog } from "#client/features/recording/screen-state.ts";
import { Header } from "#client/features/shell/header.tsx";
import { languageMessages } from "#client/i18n/languages/index.ts";
import { delayFirstPaint } from "#client/lib/after-first-paint.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { sidebarOpen } from "#client/state/preferences.ts";
import { visitor } from "#client/state/visitor.ts";
import { IconButton } from "#client/ui/button.tsx";

const RecordContent = lazyPage(
  () => import("./record-content.tsx"),
  recordingMessages,
  languageMessages,
);
export const parts = [RecordContent];
// The document may show the recording screen already; a frame in between would flash. The rows of a lecture would have
// to wait until React has shown the frame for 300 ms.
const { firstPage = "" } = document.getElementById("root")?.dataset ?? {};
export const inOnePiece =
  firstPage.startsWith("record") || new URLSearchParams(location.search).has("lecture");

export default function RecordPage() {
  const t = useT();
  const { kind } = useValue(visitor);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] overflow-hidden">
      <Header
        actions={
          <IconButton
            icon={SlidersHorizontal}
            iconClass="size-4.5"
            label={t("settings.title")}
            onClick={() => openDialog("settings")}
            className="max-sm:hidden"
          />
        }
        menu={[
          {
            key: "settings",
            icon: SlidersHorizontal,
            label: t("account.recordingSettings"),
            run: () => openDialog("settings"),
          },
        ]}
      />
      {kind === "user" || kind === "guest" ? (
        <Suspense fallback={<RecordingFrame />}>
          <RecordContent />
        </Suspense>
      ) : (
        <RecordingFrame />
      )}
    </div>
  );
}

/** The edges of the sidebar and of the head, while the recording screen or the visitor is loaded. */
function RecordingFrame() {
  const isSidebarOpen = useValue(sidebarOpen);
  useTitle(useT()("title.record"));
  useLayoutEffect(delayFirstPaint, []);
  return (
    <div aria-busy="true" className={isSidebarOpen ? "grid desk:grid-cols-[16.5rem_1fr]" : ""}>
      {isSidebarOpen ? <div className="border-rule border-r bg-paper-2 max-desk:hidden" /> : null}
      <div className="h-24 border-rule border-b max-sm:h-23" />
    </div>
  );
}
