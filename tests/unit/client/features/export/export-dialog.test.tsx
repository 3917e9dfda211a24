// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import ExportDialog from "#client/features/export/export-dialog.tsx";
import type { zipFolder } from "#client/features/export/folder-zip.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { fileMessages } from "#client/i18n/export-import/index.ts";
import { alerts } from "#client/lib/notifications.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import {
  click,
  collectToasts,
  find,
  hide,
  settle,
  waitForText,
} from "#tests/unit/client/kit/page.tsx";

const zip = vi.hoisted(() => vi.fn<typeof zipFolder>());
vi.mock("#client/features/export/folder-zip.ts", () => ({ zipFolder: zip }));

vi.mock("#client/features/export/backup/create-backup.ts", () => ({
  createBackup: async () => ({ zip: new Blob(), files: 1, failed: [] }),
}));

const onClose = vi.fn();
const saved: string[] = [];
const toasts = collectToasts();

beforeEach(async () => {
  await Promise.all([showLanguage("en"), fileMessages.load()]);
  onClose.mockClear();
  saved.length = 0;
  alerts.set([]);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  const target = { kind: "folder", id: "a", name: "Course 1/2" } as const;
  await showLibrary(<ExportDialog target={target} onClose={onClose} />);
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function choose(name: string) {
  const radio = await find("label", name);
  await act(async () => radio.querySelector("input")?.click());
}

it("offers a folder as documents and subtitles, but not as PDF", async () => {
  await waitForText("Course 1/2");
  const formats = [...document.querySelectorAll("input[name=format]")];
  expect(formats.map((one) => one.closest("label")?.textContent)).toEqual([
    "Word.docx",
    "Plain text.txt",
    "Markdown.md",
    "Subtitles.srt",
    "Web captions.vtt",
  ]);
  expect(formats.map((one) => one.matches(":checked"))).toEqual([true, false, false, false, false]);
  await choose("Subtitles.srt");
  await waitForText("Where sentences have no times, their cues are estimated");
});

it("shows how many lectures are done, and stops when it is cancelled", async () => {
  const signals: AbortSignal[] = [];
  zip.mockImplementationOnce(async (_library, _id, { onProgress, signal }) => {
    signals.push(signal);
    onProgress(1, 3);
    return new Promise(() => {});
  });
  await click("Export");
  await waitForText("1 of 3 lectures");
  await click("Cancel");
  expect(signals[0]?.aborted).toBe(true);
  expect(onClose).toHaveBeenCalledOnce();
  expect([saved, toasts]).toEqual([[], []]);
});

it("saves the archive, and lists what is missing in it", async () => {
  const missing = "Course 1-2/Week 1/Lost.srt";
  zip.mockResolvedValueOnce({ zip: new Blob(), files: 2, failed: [missing] });
  await click("Export");
  await settle(() => expect(saved).toEqual(["Course 1-2.zip"]));
  await waitForText(missing);
  expect(onClose).not.toHaveBeenCalled();
  await click("OK");
  expect(onClose).toHaveBeenCalledOnce();
});

it("saves no empty archive, and returns to the choice after a failure", async () => {
  zip.mockResolvedValueOnce({ zip: new Blob(), files: 0, failed: ["Course 1-2/Lost.srt"] });
  await click("Export");
  await waitForText("Course 1-2/Lost.srt");
  expect(saved).toEqual([]);
  await hide();

  const target = { kind: "folder", id: "a", name: "Course" } as const;
  await showLibrary(<ExportDialog target={target} onClose={onClose} />);
  zip.mockRejectedValueOnce(new Error("broken"));
  await click("Export");
  await settle(() => expect(toasts).toHaveLength(1));
  await find("button", "Export");
});

it("stays open where the browser of an app saves no file", async () => {
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue("Mobile MicroMessenger/8.0.60");
  zip.mockResolvedValueOnce({ zip: new Blob(), files: 2, failed: [] });
  await click("Export");
  await settle(() => expect(alerts.get()).toHaveLength(1));
  await find("button", "Export");
  expect([saved, toasts]).toEqual([[], []]);
  expect(onClose).not.toHaveBeenCalled();
});

it("names a backup by the day where the person is", async () => {
  vi.stubEnv("TZ", "Asia/Shanghai");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.parse("2026-11-27T20:00:00Z") });
  await hide();
  await showLibrary(<ExportDialog target={{ kind: "everything" }} onClose={onClose} />);
  await click("Export");
  await settle(() => expect(saved).toEqual(["Dualect 2026-11-28.zip"]));
});
