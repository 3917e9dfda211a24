// @vitest-environment happy-dom
import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import type { LectureNotice } from "#client/lecture/lecture-notices.ts";
import { ApiError } from "#client/lib/call-server.ts";
import "#client/state/cached-lectures.ts";
import { queryKeys } from "#client/state/library/cache.ts";
import { queryClient } from "#client/state/queries.tsx";
import { endRecordingSession } from "#client/state/recording.ts";
import type { Lecture } from "#shared/lecture.ts";
import { storedLecture } from "#tests/unit/client/kit/folders.ts";
import { holdRecording } from "#tests/unit/client/kit/recording.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const update = vi.hoisted(() => vi.fn<(input: object) => Promise<void>>());
vi.mock("#client/state/trpc.ts", () => ({
  onUnauthenticated: () => {},
  trpc: { lectures: { change: { mutate: update } } },
}));

afterEach(endRecordingSession);

const stored = (context: string | null) => storedLecture("one", { context });

it("does not cache an answer that was requested while a change was being saved", async () => {
  const queryKey = queryKeys.lecture("one");
  const answers: ((context: string | null) => void)[] = [];
  const query = {
    queryKey,
    queryFn: () =>
      new Promise<Lecture>((resolve) => {
        answers.push((context) => resolve(stored(context)));
      }),
  };
  queryClient.setQueryData(queryKey, stored(null));
  const unsubscribe = new QueryObserver(queryClient, query).subscribe(() => {});
  const saving = Promise.withResolvers<void>();
  update.mockReturnValueOnce(saving.promise);
  const { lecture } = holdRecording().openLecture(stored(null));
  lecture.setContext("Mine.");
  void lecture.saveNow();
  void queryClient.invalidateQueries({ queryKey });
  await waitFor(() => expect(answers).toHaveLength(1));
  saving.resolve();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[0]?.(null);
  answers[1]?.("Mine.");
  await waitFor(() => expect(queryClient.isFetching({ queryKey })).toBe(0));
  expect(queryClient.getQueryData(queryKey)).toMatchObject({ context: "Mine." });
  unsubscribe();
});

it("caches a summary that was saved, and not one that was only written", async () => {
  const queryKey = queryKeys.lecture("one");
  queryClient.setQueryData(queryKey, stored(null));
  update.mockResolvedValueOnce();
  const { lecture } = holdRecording().openLecture(stored(null));
  lecture.editSummary("Mine.");
  expect(await lecture.saveSummary()).toBe(true);
  lecture.editSummary("Mine, in short.");
  expect(update).toHaveBeenLastCalledWith(
    expect.objectContaining({ id: "one", summary: "Mine." }),
    expect.anything(),
  );
  expect(queryClient.getQueryData(queryKey)).toMatchObject({ summary: "Mine." });
});

it("tells of a summary that was not saved, also after its lecture was left", async () => {
  queryClient.setQueryData(queryKeys.lecture("one"), stored(null));
  update.mockRejectedValueOnce(new ApiError("internal", true));
  const notices: LectureNotice[] = [];
  const session = holdRecording((notice) => notices.push(notice));
  const { lecture, close } = session.openLecture(stored(null));
  lecture.editSummary("Mine.");
  const saved = lecture.saveSummary();
  close();
  expect(await saved).toBe(false);
  expect(notices).toEqual([{ kind: "summaryNotSaved", code: "internal" }]);
});

it("makes no copy while the lecture is recorded", async () => {
  const queryKey = queryKeys.lecture("one");
  queryClient.setQueryData(queryKey, stored(null));
  update.mockResolvedValueOnce();
  const { lecture } = holdRecording().openLecture(stored(null));
  lecture.showRecorder({ status: "recording", busy: null, recordedSeconds: 0 });
  lecture.setContext("Mine.");
  expect(await lecture.saveNow()).toBe(true);
  expect(queryClient.getQueryData(queryKey)).toMatchObject({ context: null });
});
