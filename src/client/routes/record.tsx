import { Suspense, useLayoutEffect } from "react";
import { recordingMessages, useT } from "#client/features/recording/messages/index.ts";
import { languageMessages } from "#client/i18n/languages/index.ts";
import { delayFirstPaint } from "#client/lib/after-first-paint.ts";
import { useValue } from "#client/lib/hooks.ts";
import { lazyPage } from "#client/lib/lazy-page.ts";
import { useTitle } from "#client/lib/title.ts";
import { visitor } from "#client/state/visitor.ts";

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
  const { kind } = useValue(visitor);
  return (
    <div className="grid h-dvh grid-cols-[minmax(0,1fr)] overflow-hidden">
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

/** The edge of the head, while the recording screen or the visitor is loaded. */
function RecordingFrame() {
  useTitle(useT()("title.record"));
  useLayoutEffect(delayFirstPaint, []);
  return (
    <div aria-busy="true">
      <div className="h-(--head) border-rule border-b" />
    </div>
  );
}
