// @vitest-environment happy-dom
import { afterEach, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { queryKeys } from "#client/state/library/cache.ts";
import { queryClient } from "#client/state/queries.tsx";
import { createSessionApi, isUuid } from "#client/state/server-api.ts";
import { loadClient } from "#client/state/trpc.ts";
import { uuid } from "#shared/lecture.ts";
import { createEntry } from "#tests/fixtures/create-entry.ts";
import { storedLecture } from "#tests/unit/client/kit/folders.ts";
import { fakeServer, streamResults } from "#tests/unit/client/kit/server.ts";

interface Request {
  path: string;
  keepalive: boolean;
}

/** Notes what is fetched; every procedure answers with `answer`. */
function answering(answer: (path: string) => Response): Request[] {
  const requests: Request[] = [];
  vi.stubGlobal("fetch", async (address: string, init?: RequestInit) => {
    const path = new URL(address, "https://dualect.example").pathname;
    requests.push({ path, keepalive: init?.keepalive === true });
    return answer(path);
  });
  return requests;
}

// As after the first paint.
beforeAll(async () => void (await loadClient()));
afterEach(() => vi.unstubAllGlobals());

const id = "01234567-89ab-4def-8123-456789abcdef";

test("sends a call of a closing page at once and to its end", async () => {
  const requests = answering(() => Response.json({ result: { data: null } }));
  const api = createSessionApi();
  const parting = api.updateLecture({ id, summary: "S" }, { keepalive: true });
  // Before any timer runs: a batch would come too late.
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  expect(requests[0]).toEqual({ path: "/trpc/lectures.change", keepalive: true });
  await parting;
});

test("batches any other call, which ends with the page", async () => {
  const requests = answering(() =>
    Response.json([{ result: { data: null } }, { result: { data: null } }]),
  );
  const api = createSessionApi();
  await Promise.all([
    api.updateLecture({ id, summary: "S" }),
    api.completeLecture({ id, titleSource: "person", title: "T" }),
  ]);
  expect(requests).toEqual([{ path: "/trpc/lectures.change,lectures.complete", keepalive: false }]);
});

test("converts refusals and lost connections to ApiError", async () => {
  answering(() =>
    streamResults([
      { error: { message: "", code: -32603, data: { appCode: "llm_failed", httpStatus: 502 } } },
    ]),
  );
  const api = createSessionApi();
  const { signal } = new AbortController();
  await expect(api.generateContext({ text: "text", spokenIn: "en" }, signal)).rejects.toMatchObject(
    {
      name: "ApiError",
      code: "llm_failed",
    },
  );
  vi.stubGlobal("fetch", () => Promise.reject(new TypeError("Failed to fetch")));
  const languages = { sourceLanguage: "en", targetLanguage: "none", isTwoWay: false } as const;
  const pieces = api.summarize(
    { lectureId: id, template: "lecture", languages, spokenIn: ["en"], original: "", marked: [] },
    signal,
  );
  await expect(pieces[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    name: "ApiError",
    code: "unavailable",
    retryable: true,
  });
  await expect(api.getLecture("no-id")).rejects.toMatchObject({ code: "not_found" });
});

test.each([
  crypto.randomUUID(),
  crypto.randomUUID().toUpperCase(),
  "0190a000-0000-7000-8000-000000000001",
  "0190a000-0000-0000-8000-000000000001",
  "0190a000-0000-7000-7000-000000000001",
  ` ${crypto.randomUUID()}`,
  `${crypto.randomUUID()}\n`,
  "lecture-1",
  "",
])("%j is an id for the page as it is for the server", (text) => {
  expect(isUuid(text)).toBe(uuid.safeParse(text).success);
});

test("counts the hour of a guest's ticket from its receipt on a device whose clock is wrong", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.UTC(2026, 0, 1, 9) });
  onTestFinished(() => void vi.useRealTimers());
  const receipts: string[] = [];
  for (const aheadMs of [-2 * 3_600_000, 2 * 3_600_000]) {
    const expiresAt = new Date(Date.now() + aheadMs + 3_600_000).toISOString();
    answering(() =>
      Response.json([{ result: { data: { recordingId: id, ticket: "t", expiresAt } } }]),
    );
    for (const previous of [null, "t"])
      receipts.push((await createSessionApi().issueGuestTicket(previous)).expiresAt);
  }
  expect(receipts).toEqual(Array(4).fill("2026-01-01T10:00:00.000Z"));
});

test("asks only for what is new of a lecture that the page has shown", async () => {
  const row = createEntry("Cells divide.", 0, { seq: 3 });
  const later = createEntry("They grow.", 1_000, { seq: 4, ordinal: 1 });
  const asked: unknown[] = [];
  const lecture = { ...storedLecture(id), seq: 4, entries: [later], deletedIds: [] };
  fakeServer({
    "lectures.get": ({ since }: { since: number }) => {
      asked.push(since);
      return { ...lecture, nextCursor: null };
    },
    "marks.list": () => ({ items: [], nextCursor: null }),
    "takes.list": () => ({ items: [], nextCursor: null }),
  });
  queryClient.setQueryData(queryKeys.lecture(id), storedLecture(id, { seq: 3, entries: [row] }));
  expect((await createSessionApi().getLecture(id)).entries).toEqual([row, later]);
  expect(asked).toEqual([3]);
  queryClient.clear();
});
