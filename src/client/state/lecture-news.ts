import { fetchLecture } from "#client/state/fetch-lecture.ts";
import { isNotFound, queryKeys } from "#client/state/library/cache.ts";
import { pageId } from "#client/state/page-id.ts";
import { queryClient, refetchQueries } from "#client/state/queries.tsx";
import { openLectures } from "#client/state/recording.ts";
import type { Lecture } from "#shared/lecture.ts";
import type { LectureNews } from "#shared/site.ts";

/**
 * What follows when another tab or device has changed a lecture: those that are open here take it over, and a cached one is
 * fetched again when it is opened.
 */

/** Ids of lectures that are being fetched, and whether they have changed meanwhile. */
const fetching = new Map<string, { isOutdated: boolean }>();

export function followLectureNews({ lectureId, pageId: changedBy, hasEnded }: LectureNews): void {
  if (hasEnded) void forget(lectureId);
  else if (changedBy !== pageId) void update(lectureId);
}

/** Another person's lecture is not shared with this one any more: copies of it are deleted, also on the device. */
async function forget(id: string): Promise<void> {
  const queryKey = queryKeys.lecture(id);
  queryClient.removeQueries({ queryKey, type: "inactive" });
  // Its page asks for it, and says that it is gone.
  void refetchQueries(queryKey);
  void refetchQueries(queryKeys.shared);
  await (await import("./stored/stored-library.ts")).syncStoredLectures();
}

/** Changes may have been missed. */
export function catchUpWithLectures(): void {
  // A new lecture is not on the server yet.
  for (const [id, lecture] of openLectures.get()) if (lecture.view.get().lecture) void update(id);
}

const findOpen = (id: string) => openLectures.get().get(id);

async function update(id: string): Promise<void> {
  const queryKey = queryKeys.lecture(id);
  const lecture = findOpen(id);
  if (!lecture) {
    await queryClient.invalidateQueries({ queryKey, refetchType: "none" });
    return;
  }
  const before = fetching.get(id);
  if (before) {
    before.isOutdated = true;
    return;
  }
  const state = { isOutdated: true };
  fetching.set(id, state);
  try {
    while (state.isOutdated && findOpen(id) === lecture) {
      state.isOutdated = false;
      // Details are taken over only where this page has none that are not saved.
      await lecture.saveNow();
      const { saveCount } = lecture;
      const stored = await fetchLecture(id, {}, queryClient.getQueryData<Lecture>(queryKey));
      // What was saved meanwhile may be newer than the answer.
      if (lecture.saveCount !== saveCount) state.isOutdated = true;
      else {
        queryClient.setQueryData(queryKey, stored);
        lecture.updateFrom(stored);
      }
    }
  } catch (error) {
    if (lecture.access && isNotFound(error)) void refetchQueries(queryKey);
    // It is fetched again with the focus, with the next change, and when the channel opens again.
    console.warn("A changed lecture could not be fetched", error);
  } finally {
    fetching.delete(id);
  }
}
