// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { readingDialogMessages } from "#client/reading/dialog-messages/index.ts";
import { recordingControls } from "#client/reading/edge-offset.ts";
import { click, show } from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";

let controls: HTMLElement;

beforeAll(() => Promise.all([showLanguage("en"), readingDialogMessages.load()]));
beforeEach(async () => {
  controls = document.body.appendChild(document.createElement("section"));
  recordingControls.set(controls);
  await show(<Surface lecture={recordingWith(6).session} />);
  await waitForRows();
  return () => recordingControls.set(null);
});

/** Sends what a press on a row sends. */
const pressRow = (position: number, pointerType: "mouse" | "touch") =>
  act(async () => {
    const row = findRow(position);
    for (const type of ["pointerover", "pointerdown", "pointerup"])
      row?.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerType }));
    row?.focus();
    row?.click();
  });
const getLabels = (box: Element) =>
  [...box.querySelectorAll("button")].map((button) => button.getAttribute("aria-label"));
const listTouched = () =>
  [...document.querySelectorAll("[data-touched]")].map((row) => row.getAttribute("data-row"));

it("stand in the recording controls where a row is touched, until it is touched again", async () => {
  await pressRow(2, "touch");
  expect(getLabels(controls)).toEqual(["Correct this sentence", "Mark this sentence", "Close"]);
  expect(listTouched()).toEqual(["2"]);
  await pressRow(4, "touch");
  expect(listTouched()).toEqual(["4"]);
  await pressRow(4, "touch");
  expect(getLabels(controls)).toEqual([]);
  expect(listTouched()).toEqual([]);
});

it("correct the touched row", async () => {
  await pressRow(3, "touch");
  await click("Correct this sentence");
  expect(findRow(3)?.querySelector("textarea")?.value).toBe("Sentence 3.");
  expect(getLabels(controls)).toEqual([]);
});

it("stand beside a row that a mouse is over", async () => {
  await pressRow(2, "mouse");
  expect(getLabels(controls)).toEqual([]);
  expect(getLabels(document.body)).toContain("Correct this sentence");
});
