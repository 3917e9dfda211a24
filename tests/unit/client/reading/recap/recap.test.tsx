// @vitest-environment happy-dom
import { act, createRef, type RefObject } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import FootTools from "#client/features/recording/foot-tools.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { ApiError } from "#client/lib/call-server.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { recapMessages } from "#client/reading/recap/messages/index.ts";
import { Recap } from "#client/reading/recap/recap.tsx";
import { type SearchTarget, searchTarget } from "#client/reading/search-target.ts";
import { setRecordingSession } from "#client/state/recording.ts";
import { NoTranslatorError } from "#client/translation/translator-list.ts";
import type { RecapRequest } from "#shared/recap.ts";
import type { AnswerPiece } from "#shared/statements.ts";
import {
  click,
  find,
  findButton,
  press,
  settle,
  show,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";
import { recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";
import { recordingView } from "#tests/unit/client/kit/recording.ts";

interface Call {
  request: RecapRequest;
  signal: AbortSignal;
  write(...pieces: AnswerPiece[]): Promise<void>;
  finish(failure?: unknown): Promise<void>;
}
const calls: Call[] = [];

vi.mock("#client/state/recap.ts", () => ({
  async *askForRecap(request: RecapRequest, signal: AbortSignal) {
    const queue: (AnswerPiece | { failure: unknown } | null)[] = [];
    let wake = () => {};
    const put = (...given: typeof queue) =>
      act(async () => {
        queue.push(...given);
        wake();
      });
    calls.push({
      request,
      signal,
      write: (...pieces) => put(...pieces),
      finish: (failure) => put(failure ? { failure } : null),
    });
    for (;;) {
      const next = queue.shift();
      if (next === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else if (next === null) return;
      else if ("failure" in next) throw next.failure;
      else yield next;
    }
  },
}));

let page: RefObject<HTMLElement | null>;
beforeAll(async () => {
  await Promise.all([showLanguage("en"), recapMessages.load(), readingDialogMessages.load()]);
  // The page's tools wait for it.
  reportFirstPage();
});
beforeEach(() => {
  calls.length = 0;
  page = createRef();
});

/** A recording of 100 sentences, one each 4 s; `isWhole`: on its page. */
async function open({ isWhole = false } = {}) {
  const { session, transcript } = recordingWith(100);
  setRecordingSession(session);
  session.view.set(recordingView({ recordedSeconds: 400 }));
  await show(
    <>
      {isWhole ? <Surface lecture={session} page={page} /> : <section ref={page} tabIndex={-1} />}
      {isWhole ? <FootTools lecture={session} isRecording /> : null}
      <Recap lecture={session} page={page} />
    </>,
  );
  return { session, transcript };
}

const card = () => document.querySelector("section[aria-label='Catch up']");
const statement = (id: string, text: string): AnswerPiece[] => [
  { kind: "begin", rows: [id], quote: "" },
  { kind: "text", text },
  { kind: "end" },
];

it("opens by a key or its button with the last five minutes, and asks for nothing before", async () => {
  await open({ isWhole: true });
  await waitForRows();
  await find("button", "What was just said?");
  expect(calls).toEqual([]);
  await press("c");
  expect(card()?.textContent).toContain("Up to 6:36: Sentence 99.");
  expect(calls).toHaveLength(1);
  expect(calls[0]?.request).toMatchObject({ language: "zh-cn", spokenIn: "en", before: "" });
  // Those that end after 1:39.
  expect(calls[0]?.request.rows.map(({ text }) => text)).toEqual(
    Array.from({ length: 75 }, (_, at) => `Sentence ${at + 25}.`),
  );
  await press("c");
  expect(card()).toBeNull();
  await click("What was just said?");
  expect(card()).not.toBeNull();
});

it("ends the answer when it is closed, and when something else is asked for", async () => {
  await open();
  await press("c");
  await click("The last 3 minutes");
  expect(calls.map(({ signal }) => signal.aborted)).toEqual([true, false]);
  expect(calls[1]?.request.rows).toHaveLength(45);
  await press("Escape");
  expect(calls[1]?.signal.aborted).toBe(true);
  expect(card()).toBeNull();
});

it("shows statements as they come, and leads to their rows while it stays open", async () => {
  await open();
  const targets: (SearchTarget | null)[] = [];
  const stop = searchTarget.subscribe(() => targets.push(searchTarget.get()));
  await press("c");
  await calls[0]?.write({ kind: "begin", rows: ["r2"], quote: "" }, { kind: "text", text: "光会" });
  expect(card()?.textContent).toContain("光会");
  expect(findButton("Keep as note")).toHaveProperty("disabled", true);
  await calls[0]?.write({ kind: "text", text: "弯曲。" }, { kind: "end" });
  await calls[0]?.finish();
  await click("Open 1:44: Sentence 26.");
  await settle(() =>
    expect(targets.at(-1)?.place).toEqual({ type: "row", row: 26, startMs: 104_000 }),
  );
  // Again, after the page was scrolled away.
  await click("Open 1:44: Sentence 26.");
  await settle(() => expect(targets.filter((target) => target !== null)).toHaveLength(2));
  expect(card()).not.toBeNull();
  await press("c");
  expect(searchTarget.get()).toBeNull();
  stop();
});

it("leads back to where the page was after the recording", async () => {
  const { session } = await open();
  session.view.set(recordingView({ recordedSeconds: 400, status: "paused" }));
  await press("c");
  await calls[0]?.write(...statement("r1", "一。"));
  await calls[0]?.finish();
  if (page.current) page.current.scrollTop = 77;
  await click("Open 1:40: Sentence 25.");
  await settle(() => expect(searchTarget.get()).not.toBeNull());
  if (page.current) page.current.scrollTop = 9;
  await click("Back to where I was");
  expect(page.current?.scrollTop).toBe(77);
  expect(findButton("Back to where I was")).toBeUndefined();
});

it("keeps the recap as a note of the last sentence", async () => {
  const { session } = await open();
  const mark = { id: "m", atMs: 396_000, position: 99, note: "" };
  session.addMark.mockReturnValue(mark);
  await press("c");
  await calls[0]?.write(...statement("r1", "光会弯曲。"), ...statement("r3", "因为它变慢。"));
  await calls[0]?.finish();
  await click("Keep as note");
  expect(session.addMark).toHaveBeenCalledWith(99);
  expect(session.putMark).toHaveBeenCalledWith({
    ...mark,
    note: "Recap up to 6:36\n• 光会弯曲。 (1:40)\n• 因为它变慢。 (1:48)",
  });
  expect(await find("button", "Kept as note")).toHaveProperty("disabled", true);
});

it.each([
  [new ApiError("model_budget_exhausted", true), "You've used all translations and summaries"],
  [new ApiError("site_budget_exhausted", true), "Dualect has used up its translations"],
  [new ApiError("rate_limited", true, { retryAfterSeconds: 60 }), "try again in 1 minute"],
  [new ApiError("payload_too_large", false), "Choose a shorter time."],
  [new NoTranslatorError(), "Neither this site nor this browser has a language model"],
  [new ApiError("llm_failed", true), "The language service did not respond."],
])("says in its place why there is no recap, and asks again: %s", async (failure, text) => {
  await open();
  await press("c");
  await calls[0]?.finish(failure);
  await waitForText(text);
  expect(document.querySelector("[role=alert]")?.textContent).not.toContain("broke off");
  await click("Try again");
  expect(calls).toHaveLength(2);
  expect(document.querySelector("[role=alert]")).toBeNull();
});

it("keeps the checked statements of an answer that breaks off, and says so", async () => {
  await open();
  await press("c");
  await calls[0]?.write(...statement("r1", "光会弯曲。"), {
    kind: "begin",
    rows: ["r2"],
    quote: "",
  });
  await calls[0]?.write({ kind: "text", text: "因为" });
  await calls[0]?.finish(new ApiError("unavailable", true));
  await waitForText("It broke off here.");
  expect(card()?.textContent).toContain("光会弯曲。");
  expect(card()?.textContent).not.toContain("因为");
  expect(findButton("Keep as note")).toHaveProperty("disabled", false);
});

it("offers the time since the mark and since the page was left, where there is one", async () => {
  const { session, transcript } = await open();
  await press("c");
  expect(findButton("Since the mark")).toBeUndefined();
  await act(async () => session.marks.set([{ id: "m", atMs: 380_000, position: 95, note: "" }]));
  await click("Since the mark");
  expect(calls.at(-1)?.request.rows).toHaveLength(5);

  const setHidden = (hidden: boolean) =>
    act(async () => {
      vi.spyOn(document, "hidden", "get").mockReturnValue(hidden);
      document.dispatchEvent(new Event("visibilitychange"));
    });
  await setHidden(true);
  await setHidden(false);
  expect(document.body.textContent).not.toContain("Since you left");
  await setHidden(true);
  await act(async () =>
    transcript.append([
      {
        ...(transcript.row(0) as object),
        original: "New.",
        startMs: 401_000,
        endMs: 402_000,
      } as never,
    ]),
  );
  await setHidden(false);
  // Nothing is said in the next one.
  session.view.set(recordingView({ recordedSeconds: 410 }));
  await setHidden(true);
  await setHidden(false);
  await click("Since you left (6:40)");
  expect(calls.at(-1)?.request.rows.map(({ text }) => text)).toEqual(["New."]);
  vi.restoreAllMocks();
});

it("writes in what was spoken, when that is chosen", async () => {
  await open();
  await press("c");
  const original = document.querySelectorAll<HTMLInputElement>("input[type=radio]")[1];
  await act(async () => original?.click());
  expect(calls[1]?.request.language).toBe("en");
});

it("asks nothing of a lecture in which nothing was said in time, and is not offered without sound", async () => {
  const { session, transcript } = recordingWith(1);
  transcript.replaceAll([
    { ...(transcript.row(0) as NonNullable<ReturnType<typeof transcript.row>>), endMs: 0 },
  ]);
  setRecordingSession(session);
  await show(<Recap lecture={session} page={page} />);
  await press("c");
  expect(card()).toBeNull();
  await act(async () => session.view.set(recordingView({ recordedSeconds: 9 })));
  await press("c");
  expect(card()?.textContent).toContain("Nothing has been said in this time yet.");
  expect(calls).toEqual([]);
});
