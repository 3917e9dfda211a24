import { Signal } from "#client/lib/observable.ts";
import { browserPorts } from "#client/realtime/browser-ports.ts";
import { EditableLecture } from "#client/realtime/lecture/editable-lecture.ts";
import { createStateFromLecture } from "#client/realtime/lecture/initial-state.ts";
import { toLecture } from "#client/realtime/lecture/transfer.ts";
import type { LectureNotice } from "#client/realtime/notices.ts";
import { toBudgetNotice } from "#client/realtime/notices.ts";
import { withLimits } from "#client/realtime/server-api-limits.ts";
import {
  getDocument,
  isDocumentShown,
  listDocuments,
  markDeleted,
} from "#client/state/document-registry.ts";
import { engines } from "#client/state/engines.ts";
import { queryKeys } from "#client/state/library/cache.ts";
import { queryClient, refetchQueries } from "#client/state/queries.tsx";
import { createSessionApi } from "#client/state/server-api.ts";
import type { Lecture } from "#shared/lecture.ts";

const ports = browserPorts();

/** Sends notices of the lecture that is shown, and of others what concerns their saving. */
export type Notify = (notice: LectureNotice) => void;
let notify: Notify = () => {};

const { api, modelPause } = withLimits(createSessionApi(), ports.clock, {
  engines,
  onExhausted: (code) => notify(toBudgetNotice(code, "user")),
});

/** Opens `stored` to be read and corrected in this tab, unless it is open already. */
export function openDocument(stored: Lecture, show: Notify): EditableLecture {
  notify = show;
  const { id } = stored;
  return getDocument(id, () => {
    const lecture = new EditableLecture(
      {
        api,
        ports,
        identity: "user",
        notify(notice) {
          // It is gone: the page finds that out by itself.
          if (notice.kind === "lectureDeletedElsewhere") {
            markDeleted(id);
            void refetchQueries(queryKeys.lecture(id));
          } else if (isDocumentShown(id) || isOfSaving(notice)) notify(notice);
        },
        onChange() {},
      },
      createStateFromLecture(stored),
    );
    updateCacheOnSave(lecture);
    return lecture;
  });
}

const isOfSaving = ({ kind }: LectureNotice) => kind === "saveFailed" || kind === "summaryNotSaved";

/** The cached lecture is what is opened the next time: it must not be older than the document. */
function updateCacheOnSave(lecture: EditableLecture): void {
  const queryKey = queryKeys.lecture(lecture.lectureId);
  let { saveState } = lecture.view.get();
  lecture.view.subscribe(() => {
    const before = saveState;
    ({ saveState } = lecture.view.get());
    if (saveState === before) return;
    // An answer that is under way is older than the change …
    if (saveState !== "saved") {
      void queryClient.cancelQueries({ queryKey });
      return;
    }
    queryClient.setQueryData<Lecture>(queryKey, (cached) => cached && toLecture(lecture, cached));
    // … and one that was requested while it was being saved may be.
    if (queryClient.isFetching({ queryKey }) > 0) void refetchQueries(queryKey);
  });
}

ports.page.onWake(() => {
  modelPause.wake();
  for (const lecture of listDocuments()) {
    lecture.wake();
    void lecture.saveNow();
  }
});

ports.page.onHide(() => {
  for (const lecture of listDocuments()) {
    // Sent with `keepalive` in case the page is closed, and saved as usual in case it stays.
    lecture.stored.saveOnPageHide();
    void lecture.saveNow();
  }
});

/** Whether the share dialog of the open lecture is open. */
export const isShareDialogOpen = new Signal(false);
