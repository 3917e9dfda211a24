// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import ActionItems from "#client/reading/action-items/action-items.tsx";
import { actionItemMessages } from "#client/reading/action-items/messages/index.ts";
import { searchTarget } from "#client/reading/search-target.ts";
import type { ActionItem } from "#shared/action-item.ts";
import {
  click,
  collectToasts,
  findButton,
  settle,
  show,
  type,
} from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { createLectureInfo } from "#tests/unit/client/kit/recording.ts";
import { fakeServer, Refusal } from "#tests/unit/client/kit/server.ts";

const toasts = collectToasts();

beforeAll(async () => {
  await Promise.all([showLanguage("en"), actionItemMessages.load()]);
});

const text = () => document.body.textContent ?? "";
const field = (name: string) => document.querySelector(`input[name=${name}]`);
const boxes = () => [...document.querySelectorAll<HTMLInputElement>("input[type=checkbox]")];

/** A lecture of three sentences, in whose second one Ben is given a task. */
async function open() {
  const { session, transcript } = recordingWith(3);
  const [, second] = transcript.rows();
  const item: ActionItem = {
    id: "a",
    task: "Send the slides",
    who: "Ben",
    due: "by Friday",
    dueOn: "2026-05-08",
    rows: [{ id: second?.id ?? "", startMs: 4_000 }],
    isDone: false,
    byHand: false,
  };
  session.view.set({
    ...session.view.get(),
    lecture: createLectureInfo({ id: "one", title: "Plans" }),
  });
  const showText = vi.fn();
  await show(<ActionItems lecture={session} showText={showText} />);
  const list = (...items: ActionItem[]) => act(async () => session.actionItems.set(items));
  return { session, item, showText, list };
}

it("looks for tasks when that is asked for, and shows who, until when, and the sentence", async () => {
  const { session, item, showText } = await open();
  const { calls, sent } = fakeServer({
    "actionItems.find": () => ({ items: [item], leftOut: 2 }),
  });
  expect(calls).toEqual([]);
  await click("Find what was agreed");
  await settle(() => expect(text()).toContain("Ben · Fri, May 8, 2026 (“by Friday”)"));
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  expect(sent).toEqual([{ 0: { lectureId: "one", timeZone } }]);
  expect(session.saveNow).toHaveBeenCalled();
  expect(session.setActionItems).toHaveBeenLastCalledWith([item]);
  expect(text()).toContain("2 tasks were left out");
  await click("Open 0:04: Sentence 1.");
  expect(showText).toHaveBeenCalled();
  await settle(() => expect(searchTarget.get()?.place).toMatchObject({ row: 1, startMs: 4_000 }));
});

it("says that there is nothing to do, and why none could be looked for", async () => {
  const { session } = await open();
  const answers = [{ items: [], leftOut: 0 }, new Refusal("model_budget_exhausted")];
  fakeServer({ "actionItems.find": () => answers.shift() });
  await click("Find what was agreed");
  await settle(() => expect(text()).toContain("Nothing was found that somebody is to do."));
  await click("Find what was agreed");
  await settle(() => expect(toasts).toHaveLength(1));
  session.saveNow.mockResolvedValueOnce(false);
  await click("Find what was agreed");
  await settle(() => expect(toasts.at(-1)?.description).toContain("not saved yet"));
  expect(findButton("Find what was agreed")).toBeDefined();
});

it("ticks, changes and removes a task, which can be undone", async () => {
  const { session, item, list } = await open();
  await list(item, { ...item, id: "b", task: "Book a room", who: null, due: null, dueOn: null });
  await act(async () => boxes()[0]?.click());
  expect(session.actionItems.get()[0]).toEqual({ ...item, isDone: true });

  await click("Change: Send the slides");
  await type(field("task"), " Send the charts ");
  await type(field("dueOn"), "2026-05-11");
  await click("Save");
  const changed = { ...item, task: "Send the charts", dueOn: "2026-05-11", due: null };
  expect(session.actionItems.get()[0]).toEqual({ ...changed, isDone: true, byHand: true });

  expect(document.activeElement).toBe(findButton("Change: Send the charts"));

  await click("Change: Book a room");
  await type(field("task"), "  ");
  await click("Save");
  await settle(() => expect(text()).toContain("Please say what is to be done"));
  await click("Remove");
  expect(session.actionItems.get()).toHaveLength(1);
  await act(async () => toasts.at(-1)?.action?.run());
  expect(session.actionItems.get().map(({ task }) => task)).toEqual([
    "Send the charts",
    "Book a room",
  ]);
});

it("finds a sentence that was recognised again by its time, and does without one that is gone", async () => {
  const { item, list } = await open();
  await list({
    ...item,
    rows: [
      { id: "gone", startMs: 8_000 },
      { id: "gone too", startMs: 99_000 },
    ],
  });
  expect(findButton("Open 0:08: Sentence 2.")).toBeDefined();
  expect(document.querySelectorAll("[aria-label=Sentences] button")).toHaveLength(1);
});
