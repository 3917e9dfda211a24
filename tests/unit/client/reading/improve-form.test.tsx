// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { ImproveForm } from "#client/reading/improve-form.tsx";
import { passUndo } from "#client/reading/reading-state.ts";
import { queryClient } from "#client/state/queries.tsx";
import { click, collectToasts, settle, show, waitForText } from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";
import { signIn } from "#tests/unit/client/kit/user.ts";

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
beforeEach(() => {
  queryClient.clear();
  passUndo.set(null);
});
const toasts = collectToasts();

interface Part {
  rows: { id: string; text: string }[];
}

/** The form for a finished lecture of 35 sentences, whose translations a pass changes. */
async function open(
  translateRows?: (input: Part) => unknown,
  { llm = false, status = "paused" }: { llm?: boolean; status?: "paused" | "recording" } = {},
) {
  fakeServer({
    "site.info": () => ({
      standIns: { speech: false, llm, mail: false, payments: false },
      isDemoDefault: false,
    }),
    ...(translateRows && { "ai.translateRows": translateRows }),
  });
  const { session, texts } = openLecture(status);
  await show(<ImproveForm lecture={session} onClose={() => {}} />);
  return { session, texts };
}

function openLecture(status: "paused" | "recording" = "paused") {
  const { session, transcript } = recordingWith(35);
  session.view.set({ ...session.view.get(), status, lecture: createLectureInfo() });
  session.setTranslations.mockImplementation((changes) => {
    transcript.changeAll(changes);
    return true;
  });
  const texts = () => transcript.rows().map(({ translated }) => translated);
  return { session, transcript, texts };
}

const improveAll = ({ rows }: Part) => ({
  rows: rows.map(({ id, text }) => ({ id, translated: `«${text}»` })),
  digest: "",
});

const findStart = () => document.querySelector<HTMLButtonElement>("button[type='submit']");
const isStartable = () => expect(findStart()?.disabled).toBe(false);

describe("Improve translation", () => {
  it("keeps the old text until all of the new one is there, and brings it back", async () => {
    signIn();
    let finishSecond = () => {};
    const second = new Promise<void>((resolve) => {
      finishSecond = resolve;
    });
    let calls = 0;
    const { session, texts } = await open(async (part) => {
      calls += 1;
      if (calls === 2) await second;
      return improveAll(part);
    });
    const before = texts();
    await settle(isStartable);
    expect(document.body.textContent).toContain("35 sentences are translated again");
    await click("Improve");
    await waitForText("30 of 35 sentences");
    expect(texts()).toEqual(before);

    await act(async () => finishSecond());
    await settle(() => expect(texts()).toEqual(before.map((_, at) => `«Sentence ${at}.»`)));
    expect(session.setTranslations).toHaveBeenCalledOnce();
    await settle(() => expect(toasts.at(-1)?.title).toBe("35 sentences improved"));
    expect(passUndo.get()?.lectureId).toBe("one");
    await act(async () => toasts.at(-1)?.action?.run());
    expect(texts()).toEqual(before);
    expect(passUndo.get()).toBeNull();
  });

  it("brings the old text back in a lecture that was left and opened again, and not in the one before", async () => {
    signIn();
    const { session, texts } = await open(improveAll);
    const before = texts();
    await settle(isStartable);
    await click("Improve");
    await settle(() => expect(passUndo.get()).not.toBeNull());
    const again = openLecture();
    again.transcript.replaceAll(session.transcript.rows());
    expect(again.texts()).not.toEqual(before);
    // It is closed.
    session.setTranslations.mockReturnValue(false);
    await act(async () => passUndo.get()?.undo(again.session));
    expect(again.texts()).toEqual(before);
    expect(toasts.at(-1)?.title).toBe("The earlier translation is back");
    await act(async () => toasts.at(-2)?.action?.run());
    expect(toasts.at(-1)?.title).toBe("The earlier translation could not be brought back");
  });

  it("changes nothing when it is stopped", async () => {
    signIn();
    let abort = () => {};
    const aborted = new Promise<never>((_, reject) => {
      abort = () => reject(new Refusal("unavailable"));
    });
    // Stop may come before the call is sent.
    aborted.catch(() => {});
    const { session } = await open(() => aborted);
    await settle(isStartable);
    await click("Improve");
    await waitForText("Reading the lecture");
    await click("Stop");
    await act(async () => abort());
    await settle(() => expect(toasts.at(-1)?.title).toContain("Stopped"));
    expect(session.setTranslations).not.toHaveBeenCalled();
  });

  it("says why it has failed, and changes nothing", async () => {
    signIn();
    const { session } = await open(() => new Refusal("model_budget_exhausted"));
    await settle(isStartable);
    await click("Improve");
    await settle(() => expect(toasts.at(-1)?.kind).toBe("failure"));
    expect(toasts.at(-1)?.description).toContain("for today");
    expect(session.setTranslations).not.toHaveBeenCalled();
  });

  it.each([
    ["the person is a guest", false, false, "paused", "sign in"],
    ["the site has no model", true, true, "paused", "no language model"],
    ["it is recorded", true, false, "recording", "after it was recorded"],
  ] as const)("says why not when %s", async (_, isUser, llm, status, text) => {
    if (isUser) signIn();
    await open(undefined, { llm, status });
    await waitForText(text);
    expect(findStart()?.disabled).toBe(true);
  });
});
