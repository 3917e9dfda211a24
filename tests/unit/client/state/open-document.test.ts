// @vitest-environment happy-dom
import { QueryObserver } from "@tanstack/react-query";
import { afterEach, expect, it, vi } from "vitest";
import { discardDocument } from "#client/state/document-registry.ts";
import { queryKeys } from "#client/state/library/cache.ts";
import { openDocument } from "#client/state/open-document.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { Lecture } from "#shared/lecture.ts";
import { lecture as createItem } from "#tests/unit/client/kit/folders.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

const update = vi.hoisted(() => vi.fn<(input: object) => Promise<void>>());
vi.mock("#client/state/trpc.ts", () => ({
  onUnauthenticated: () => {},
  trpc: { lectures: { change: { mutate: update } } },
}));

afterEach(() => discardDocument("one"));

const stored = (summary: string | null): Lecture => ({
  ...createItem("one"),
  ...{ originalText: "", translatedText: "", context: null, speakerNames: {} },
  ...{ entries: [], marks: [], takes: [], summary },
});

it("does not cache an answer that was requested while a change was being saved", async () => {
  const queryKey = queryKeys.lecture("one");
  const answers: ((summary: string | null) => void)[] = [];
  const query = {
    queryKey,
    queryFn: () =>
      new Promise<Lecture>((resolve) => {
        answers.push((summary) => resolve(stored(summary)));
      }),
  };
  queryClient.setQueryData(queryKey, stored(null));
  const unsubscribe = new QueryObserver(queryClient, query).subscribe(() => {});
  const saving = Promise.withResolvers<void>();
  update.mockReturnValueOnce(saving.promise);
  const lecture = openDocument(stored(null), () => {});
  lecture.setSummary("Mine.");
  void lecture.saveNow();
  void queryClient.invalidateQueries({ queryKey });
  await waitFor(() => expect(answers).toHaveLength(1));
  saving.resolve();
  await waitFor(() => expect(answers).toHaveLength(2));
  answers[0]?.(null);
  answers[1]?.("Mine.");
  await waitFor(() => expect(queryClient.isFetching({ queryKey })).toBe(0));
  expect(queryClient.getQueryData(queryKey)).toMatchObject({ summary: "Mine." });
  unsubscribe();
});
