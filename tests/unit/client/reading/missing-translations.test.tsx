// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { ModelState } from "#client/models/model-downloads.ts";
import { findTranslationModel } from "#client/models/translation-models.ts";
import { readingMessages } from "#client/reading/messages/index.ts";
import { findCause } from "#client/reading/translation-help.tsx";
import { modelDownloads } from "#client/state/device-models.ts";
import { setReadingMode } from "#client/state/preferences.ts";
import { queryClient } from "#client/state/queries.tsx";
import { click, nextFrame, show } from "#tests/unit/client/kit/page.tsx";
import { findRow, recordingWith, Surface, waitForRows } from "#tests/unit/client/kit/reading.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

type Recording = ReturnType<typeof recordingWith>;
let session: Recording["session"];
let transcript: Recording["transcript"];
const openSettings = vi.fn();

beforeAll(() => Promise.all([showLanguage("en"), readingMessages.load()]));
beforeEach(() => {
  openSettings.mockClear();
  const standIns = { speech: true, llm: true, mail: true, payments: true };
  fakeServer({
    "site.info": () => ({
      speechService: "Soniox",
      standIns,
      isDemoDefault: false,
      challenge: null,
      outboxUrl: null,
    }),
  });
  ({ session, transcript } = recordingWith(6));
});
afterEach(() => {
  queryClient.clear();
  setReadingMode("both");
});

async function open(isReader = false) {
  await show(<Surface lecture={session} {...(!isReader && { openSettings })} />);
  await waitForRows();
}
const wait = (position: number, isLate: boolean) =>
  transcript.change(`${position}`, {
    translated: "",
    translation: "waiting",
    placeholder: { language: "zh-cn", text: "", ...(isLate && { isLate }) },
  });
const listMessages = () =>
  [...document.querySelectorAll<HTMLElement>("[data-row] [role=status]")].map(
    ({ textContent }) => textContent,
  );
const listBars = () => document.querySelectorAll(".animate-breathe");

describe("missing translations", () => {
  it("are told once, in the first row that shows nothing, with what can be done", async () => {
    for (const position of [2, 3, 5]) wait(position, true);
    wait(4, false);
    session.missingTranslations.set({ position: 2, reason: "none" });
    await open();
    await waitFor(() => expect(listMessages()).toHaveLength(1));
    await waitFor(() =>
      expect(findRow(2)?.textContent).toContain(
        "Neither this browser nor this site can translate. Settings",
      ),
    );
    expect(listBars()).toHaveLength(1);
    await click("Settings");
    expect(openSettings).toHaveBeenCalledOnce();
  });

  it("offer a model for this device by its size, and say how its download goes", async () => {
    wait(2, true);
    session.missingTranslations.set({ position: 2, reason: "none" });
    vi.spyOn(modelDownloads, "refresh").mockResolvedValue();
    const download = vi.spyOn(modelDownloads, "download").mockResolvedValue();
    const model = findTranslationModel({ sourceLanguage: "en", targetLanguage: "zh-cn" });
    const setState = (state: ModelState) =>
      act(async () => modelDownloads.states.set(new Map([["opus-mt-en-zh", state]])));
    await setState({ status: "absent", bytes: 0 });
    await open();
    const offer = "Translate on this device: 120 MB";
    await waitFor(() => expect(findRow(2)?.textContent).toContain(`${offer} Settings`));
    expect(download).not.toHaveBeenCalled();
    await click(offer);
    expect(download).toHaveBeenCalledExactlyOnceWith(model, model?.bytes);
    const totalBytes = 100_000_000;
    await setState({ status: "downloading", bytes: 34_900_000, totalBytes, isHere: true });
    expect(findRow(2)?.textContent).toContain("for this device: 34 %. Settings");
    await setState({ status: "failed", reason: "larger", bytes: 0, totalBytes: 150_000_000 });
    await click("Translate on this device: 150 MB");
    expect(download).toHaveBeenLastCalledWith(model, 150_000_000);
    await setState({ status: "failed", reason: "unavailable", bytes: 0, totalBytes: null });
    expect(findRow(2)?.textContent).not.toContain("this device");
    vi.restoreAllMocks();
    modelDownloads.states.set(new Map());
  });

  it("are told to follow where the site has failed, with no model to download", async () => {
    wait(2, true);
    session.missingTranslations.set({ position: 2, reason: "site" });
    vi.spyOn(modelDownloads, "refresh").mockResolvedValue();
    const states = new Map<string, ModelState>([["opus-mt-en-zh", { status: "absent", bytes: 0 }]]);
    await act(async () => modelDownloads.states.set(states));
    await open();
    const told = "This site does not answer now. Translations follow when it does. Try again";
    await waitFor(() => expect(listMessages()).toEqual([told]));
    vi.restoreAllMocks();
    modelDownloads.states.set(new Map());
  });

  it("are requested again on the person's wish, and the row keeps the focus", async () => {
    wait(2, true);
    session.missingTranslations.set({ position: 2, reason: "model_budget_exhausted" });
    await open();
    await waitFor(() => expect(listMessages()).toHaveLength(1));
    await click("Try again");
    expect(session.retryTranslations).toHaveBeenCalledOnce();
    expect(document.activeElement).toBe(findRow(2));
    await act(async () => session.missingTranslations.set(null));
    expect(listMessages()).toEqual([]);
  });

  it("are told to a reader without settings, and not where only English is shown", async () => {
    wait(2, true);
    session.missingTranslations.set({ position: 2, reason: "slow" });
    await open(true);
    expect(listMessages()).toEqual([
      "Translations take longer than usual. They appear as they arrive.",
    ]);
    await act(async () => setReadingMode("original"));
    expect(listMessages()).toEqual([]);
  });

  it("are told below the page's head once their row is above the view, and only there", async () => {
    wait(2, true);
    session.missingTranslations.set({ position: 2, reason: "slow" });
    await open(true);
    const readBar = () => document.querySelector("[data-missing-bar]")?.textContent;
    expect(readBar()).toBeUndefined();
    const scroll = async (top: number) => {
      const row = findRow(2);
      if (row) row.getBoundingClientRect = () => new DOMRect(0, top, 100, 40);
      await act(async () => document.querySelector("section")?.dispatchEvent(new Event("scroll")));
      await nextFrame();
    };
    await scroll(-300);
    expect(readBar()).toContain("Translations take longer than usual.");
    expect(listMessages()).toEqual([]);
    await scroll(300);
    expect(readBar()).toBeUndefined();
    expect(listMessages()).toHaveLength(1);
  });
});

const engines = ["browser"] as const;
it.each<[cause: ReturnType<typeof findCause>, situation: Partial<Parameters<typeof findCause>[0]>]>(
  [
    ["offline", { isOnline: false }],
    ["service", {}],
    ["site", { reason: "site" }],
    ["site", { reason: "site", engines: null }],
    ["site", { reason: "site", engines: ["browser", "service"] }],
    ["site", { reason: "site", engines: ["device", "service"] }],
    ["offline", { reason: "site", isOnline: false }],
    ["preparing", { reason: "site", browser: { kind: "preparing", download: null } }],
    ["slow", { reason: "slow" }],
    ["budget", { reason: "site_budget_exhausted" }],
    ["nothing", { reason: "none", engines: [] }],
    ["pair", { reason: "none", engines: [], browser: { kind: "unsupported" } }],
    ["browser", { reason: "none", engines, browser: { kind: "stalled" } }],
    ["both", { engines: ["browser", "service"], browser: { kind: "stalled" } }],
    ["service", { engines: ["service", "browser"], browser: { kind: "stalled" } }],
    ["device", { engines: ["device"] }],
    ["all", { engines: ["device", "service"] }],
    ["all", { engines: ["browser", "device"] }],
    ["preparing", { engines, browser: { kind: "preparing", download: null } }],
    ["download", { engines, browser: { kind: "preparing", download: 0.4 } }],
  ],
)(
  "the cause that ends by itself, or about which something can be done, is %s for %j",
  (cause, given) => {
    const usual = { isOnline: true, reason: "unavailable", browser: undefined } as const;
    expect(findCause({ ...usual, engines: ["service"], ...given })).toBe(cause);
  },
);
