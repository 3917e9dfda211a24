import { SlidersHorizontal } from "lucide-react";
import { Suspense } from "react";
import { recordingMessages, useT } from "#client/features/recording/messages/index.ts";
import { openDialog } from "#client/features/recording/open-dialog.ts";
import { Header } from "#client/features/shell/header.tsx";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { IconButton } from "#client/ui/button.tsx";
import { RecordShare } from "./load-record-share.ts";
import { RecordingFrame } from "./recording-frame.tsx";

const Recording = lazyPage(() => import("./recording.tsx"), recordingMessages);
// While the header is painted and the visitor is not known yet.
void Recording.preload?.()?.catch(() => {});

export default function RecordPage() {
  const t = useT();
  useTitle(t("title.record"));
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] grid-rows-[auto_minmax(0,1fr)] overflow-hidden">
      <Header
        actions={
          <>
            <Suspense fallback={<span className="h-9 w-15 book:w-30 max-sm:hidden" />}>
              <RecordShare place="header" />
            </Suspense>
            <IconButton
              label={t("settings.title")}
              onClick={() => openDialog("settings")}
              className="max-sm:hidden"
            >
              <SlidersHorizontal className="size-4.5" aria-hidden="true" />
            </IconButton>
          </>
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
      <Suspense fallback={<RecordingFrame />}>
        <Recording />
      </Suspense>
    </div>
  );
}
