import { useRouter } from "@tanstack/react-router";
import { useEffect, useMemo } from "react";
import { useValue } from "#client/lib/signal.ts";
import { showTextNotice } from "#client/reading/show-text-notice.ts";
import type { LectureDocument } from "#client/realtime/session-types.ts";
import { showDocument } from "#client/state/document-registry.ts";
import { openDocument } from "#client/state/open-document.ts";
import { recordedLectures, recordingSession } from "#client/state/recording.ts";
import type { Lecture } from "#shared/lecture.ts";

/**
 * The text of `lecture` in this tab: that of the recording session if it holds the lecture, so that two
 * do not save it; otherwise one of its own, which follows what other tabs and devices save.
 */
export function useLectureDocument(lecture: Lecture): LectureDocument {
  const router = useRouter();
  const { id } = lecture;
  const recorded = useValue(recordedLectures).get(id);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is opened once, and then updated
  const own = useMemo(
    () =>
      recorded
        ? null
        : openDocument(lecture, (notice) => {
            if (notice.kind === "lectureDeletedElsewhere" || notice.kind === "signInRequired")
              return;
            showTextNotice(notice, {
              openPlans: () =>
                void router.navigate({ to: "/profile", state: { view: "subscription" } }),
              signIn: () => void router.navigate({ to: "/auth" }),
            });
          }),
    [recorded, id, router],
  );
  useEffect(() => {
    if (own) return showDocument(own);
    return recordingSession.get()?.keepLecture(id);
  }, [own, id]);
  useEffect(() => own?.update(lecture), [own, lecture]);
  const document = recorded ?? own;
  if (!document) throw new Error("No document");
  return document;
}
