// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { commonMessages } from "#client/i18n/index.ts";
import { toast, toastFailure } from "#client/lib/notifications.ts";
import { toastFormFailure } from "#client/ui/form-failure.ts";
import Notifications from "#client/ui/toasts.tsx";

import { findButton, show } from "#tests/unit/client/kit/page.tsx";

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
  expect(getTitles()).toEqual(["Save Failed"]);
});

const listShown = () =>
  [...document.querySelectorAll("[role=group]:not([data-ending-style])")].map(
    (group) => group.querySelector("h2")?.textContent,
  );

it("shows one toast at a time, the last one for 4 s", async () => {
  for (const title of ["One", "Two"]) await act(async () => toast({ kind: "info", title }));
  expect(listShown()).toEqual(["One"]);
  await pass(2_000);
  expect(listShown()).toEqual(["Two"]);
  await pass(3_900);
  expect(listShown()).toEqual(["Two"]);
  await pass(200);
  expect(listShown()).toEqual([]);
});

it("withdraws the old error of a form when that is submitted again", async () => {
  const refuse = (title: string) => toastFormFailure(title, "Invalid email address");
  const answers = [
    () => refuse("Validation Error"),
    () => refuse("Authentication Error"),
    () => toast({ kind: "success", title: "Welcome back!" }),
  ];
  const submit = () => act(async () => document.querySelector("form")?.requestSubmit());
  await show(
    <>
      <Notifications />
      <form
        onSubmit={(event) => {
          event.preventDefault();
          answers.shift()?.();
        }}
      />
    </>,
  );
  await submit();
  expect(listShown()).toEqual(["Validation Error"]);
  await submit();
  expect(listShown()).toEqual(["Authentication Error"]);
  await submit();
  expect(listShown()).toEqual(["Welcome back!"]);
  await act(async () => toastFailure("Failed to load folders and lectures"));
  await submit();
  expect(listShown()).toEqual(["Failed to load folders and lectures"]);
});

it("shows the next toast when one is closed, or its button is pressed", async () => {
  const undo = vi.fn();
  const action = { label: "Undo", run: undo };
  await act(async () => toast({ kind: "success", title: "Deleted", action }));
  await act(async () => toast({ kind: "success", title: "Saved" }));
  await act(async () => toast({ kind: "success", title: "Copied" }));
  await act(async () => findButton("Undo")?.click());
  expect(undo).toHaveBeenCalledOnce();
  expect(listShown()).toEqual(["Saved"]);
  await act(async () =>
    document
      .querySelector<HTMLElement>("[role=group]:not([data-ending-style]) [aria-label]")
      ?.click(),
  );
  expect(listShown()).toEqual(["Copied"]);
});
