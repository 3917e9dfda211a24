import type { QueryClient } from "@tanstack/react-query";
import { fetchLecture } from "#client/state/fetch-lecture.ts";
import { recordingSession } from "#client/state/recording.ts";
import type { Lecture } from "#shared/lecture.ts";

/** The key of the query for the texts of lecture `id`, as `cache.ts` has it. */
const getLectureKey = (id: string) => [["lectures", "get"], { input: { id }, type: "query" }];

/**
 * Fetches what is new of a lecture that this tab's recording session has changed once all of it is saved and nothing is
 * recorded, so that it is stored like one that was opened. Returns the function that ends it.
 */
export function fetchRecordedLectures(client: QueryClient): () => void {
  /** A lecture that was changed since it was fetched. */
  let changedId: string | null = null;
  let unsubscribe = () => {};

  const fetch = (id: string) => {
    changedId = null;
    const queryKey = getLectureKey(id);
    const queryFn = () => fetchLecture(id, {}, client.getQueryData<Lecture>(queryKey));
    void client.prefetchQuery({ queryKey, queryFn, staleTime: 0 });
  };
  const update = () => {
    const view = recordingSession.get()?.view.get();
    const id = view?.lecture?.id ?? null;
    // The session has left it, and saves it before.
    if (changedId !== null && id !== changedId) fetch(changedId);
    if (!view || id === null) return;
    if (view.status === "recording" || view.saveState !== "saved") changedId = id;
    else if (changedId !== null && view.busy === null) fetch(id);
  };
  const follow = () => {
    unsubscribe();
    unsubscribe = recordingSession.get()?.view.subscribe(update) ?? (() => {});
    update();
  };
  const stop = recordingSession.subscribe(follow);
  follow();
  return () => {
    stop();
    unsubscribe();
  };
}
