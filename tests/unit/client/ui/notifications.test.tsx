// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { commonMessages } from "#client/i18n/index.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import Notifications from "#client/ui/notifications.tsx";

import { show } from "#tests/unit/client/kit/page.tsx";

beforeEach(async () => {
  vi.useFakeTimers();
  await commonMessages.load();
  await show(<Notifications />);
});

afterEach(async () => {
  vi.useRealTimers();
});

const getTitles = () => [...document.querySelectorAll("h2")].map((title) => title.textContent);
const getAlerts = () => [...document.querySelectorAll("[role=alert]")];
const pass = (ms: number) => act(async () => vi.advanceTimersByTime(ms));

it("shows a repeated text once, for its full time again, and announces it again", async () => {
  await act(async () => toastFailure("Save Failed", "Please try again."));
  const [before] = getAlerts();
  const announced = before?.firstElementChild?.firstChild;
  await pass(3_000);
  await act(async () => toastFailure("Save Failed", "Please try again."));
  expect(getTitles()).toEqual(["Save Failed"]);
  expect(getAlerts()).toEqual([before]);
  // Screen readers announce nodes that are new in the live region.
  expect(before?.firstElementChild?.firstChild).not.toBe(announced);
  await pass(3_000);
  expect(getAlerts()).toHaveLength(1);
  await act(async () => toastFailure("Save Failed", "The network is gone."));
  expect(getTitles()).toEqual(["Save Failed", "Save Failed"]);
});

it("removes a toast about a state when the next state is told", async () => {
  const tell = (title: string) =>
    act(async () => toast({ kind: "info", title, state: "recording" }));
  const listShown = () =>
    [...document.querySelectorAll("h2")]
      .filter((title) => !title.closest("[data-ending-style]"))
      .map((title) => title.textContent);
  await tell("Recording Started");
  await act(async () => toast({ kind: "success", title: "Copied" }));
  await tell("Recording Paused");
  expect(listShown()).not.toContain("Recording Started");
  expect(listShown()).toEqual(expect.arrayContaining(["Recording Paused", "Copied"]));
  await tell("Recording Paused");
  expect(listShown()).toContain("Recording Paused");
});

it("shows at most three toasts, each for 4 s", async () => {
  const listShown = () =>
    [...document.querySelectorAll("[role=group]:not([data-ending-style], [data-limited])")].map(
      (group) => group.querySelector("h2")?.textContent,
    );
  for (const title of ["One", "Two", "Three", "Four"])
    await act(async () => toast({ kind: "info", title }));
  expect(listShown()).toEqual(["Four", "Three", "Two"]);
  await pass(3_900);
  expect(listShown()).toHaveLength(3);
  await pass(200);
  expect(listShown()).toEqual([]);
});
