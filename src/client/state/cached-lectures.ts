import type { EditableLecture } from "#client/lecture/editable-lecture.ts";
import { toLecture } from "#client/lecture/transfer.ts";
import { queryKeys } from "#client/state/library/cache.ts";
import { queryClient, refetchQueries } from "#client/state/queries.tsx";
import { openLectures } from "#client/state/recording.ts";
import type { Lecture } from "#shared/lecture.ts";

/** The cached lecture is what is opened the next time: it must not be older than the open one. */
function updateCacheOnSave(lecture: EditableLecture): void {
  const queryKey = queryKeys.lecture(lecture.lectureId);
  let { saveState } = lecture.view.get();
  lecture.view.subscribe(() => {
    const before = saveState;
    const view = lecture.view.get();
    ({ saveState } = view);
    // A copy costs as much as the lecture is long: what is recorded gets one at its end (`stored/recorded-lectures.ts`).
    if (saveState === before || view.status === "recording") return;
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

const followed = new WeakSet<EditableLecture>();

function followOpenLectures(): void {
  for (const lecture of openLectures.get().values()) {
    if (followed.has(lecture)) continue;
    followed.add(lecture);
    updateCacheOnSave(lecture);
  }
}

openLectures.subscribe(followOpenLectures);
followOpenLectures();
