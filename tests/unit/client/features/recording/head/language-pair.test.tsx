// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { dialogMessages } from "#client/features/recording/dialog-messages/index.ts";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import {
  LanguagePairControl,
  swapLanguages,
} from "#client/features/recording/head/language-pair.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { languageMessages } from "#client/i18n/languages/index.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { speechChoice } from "#client/state/engines.ts";
import { getStoredLanguages } from "#client/state/preferences.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { Recognizer } from "#shared/engine-languages.ts";
import type { LanguagePair, SourceLanguage, TargetLanguage } from "#shared/languages.ts";
import {
  click,
  find,
  findButton,
  press,
  settle,
  show,
  type,
} from "#tests/unit/client/kit/page.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

beforeAll(() =>
  Promise.all([
    showLanguage("en"),
    dialogMessages.load(),
    engineMessages.load(),
    languageMessages.load(),
    // Loading them may take a busy machine longer than the test waits for what they show.
    import("#client/features/recording/head/source-list.tsx"),
    import("#client/ui/language-list.tsx"),
  ]),
);

beforeEach(() => {
  localStorage.clear();
  speechChoice.set(null);
  vi.stubGlobal("SpeechRecognition", class {});
  return () => {
    queryClient.clear();
    vi.unstubAllGlobals();
  };
});

const idle = { status: "ready", busy: null } as const;
const select = "[role=combobox]";
const source = () => find(select, "Spoken language");
const target = () => find(select, "Target language");

/** Shows the control of a lecture that keeps what is chosen. */
async function open(change: Partial<SessionView> = {}, recognizer: Recognizer = "soniox") {
  const standIns = { speech: false, llm: false, mail: false, payments: false };
  fakeServer({
    "site.info": () => ({ speechService: "Soniox", recognizer, standIns, isDemoDefault: false }),
  });
  const session = holdRecording();
  const view = { ...recordingView(idle), ...change };
  session.view.set(view);
  const setLanguages = vi.fn((languages: Partial<LanguagePair>) =>
    session.view.set({ ...session.view.get(), ...languages }),
  );
  await show(<LanguagePairControl document={{ ...session, setLanguages }} />);
  const update = (next: Partial<SessionView>) =>
    act(async () => session.view.set({ ...session.view.get(), ...next }));
  return { setLanguages, update };
}

interface Option {
  name: string;
  note: string | null;
  isDisabled: boolean;
}

const readOptions = (): Option[] =>
  [...document.querySelectorAll("[role=option]")].map((option) => {
    const [name, note] = option.querySelectorAll(":scope > .col-start-2");
    return {
      name: name?.firstChild?.textContent ?? "",
      note: note?.textContent ?? null,
      isDisabled: option.getAttribute("aria-disabled") === "true",
    };
  });
const findOption = (name: string) => readOptions().find((option) => option.name === name);

async function openList(button: () => Promise<HTMLElement>) {
  const element = await button();
  await act(async () => element.click());
  await settle(() => expect(readOptions().length).toBeGreaterThan(50));
}

async function choose(button: () => Promise<HTMLElement>, name: string) {
  await openList(button);
  const option = [...document.querySelectorAll<HTMLElement>("[role=option]")].find((one) =>
    one.textContent?.startsWith(name),
  );
  await act(async () => option?.click());
}

it("lists English first, what can be detected, both languages, and then all by name", async () => {
  await open();
  await openList(source);
  const [english, detect, both, ...others] = readOptions().map(({ name }) => name);
  expect([english, detect, both]).toEqual([
    "English",
    "Detect language",
    "English and Simplified Chinese",
  ]);
  expect(others).toEqual(others.toSorted(new Intl.Collator("en").compare));
  expect(others).toHaveLength(59);
});

it("finds a language by its name in itself", async () => {
  await open();
  await openList(source);
  await type(await find("input", "Search languages"), "日本");
  await settle(() => expect(readOptions().map(({ name }) => name)).toEqual(["Japanese"]));
});

it("keeps what is chosen with the lecture, and for the next one on this device", async () => {
  const { setLanguages } = await open();
  await choose(source, "German");
  expect(setLanguages).toHaveBeenLastCalledWith({ sourceLanguage: "de", isTwoWay: false });
  expect((await source()).textContent).toBe("German");
  await choose(target, "English");
  await choose(source, "German and English");
  await click("Swap the languages");
  expect(getStoredLanguages()).toEqual(createPair("en", "de", true));
  // The second language is gone.
  await choose(target, "No Translation");
  expect(setLanguages).toHaveBeenLastCalledWith({ targetLanguage: "none", isTwoWay: false });
});

it("says in its place that the same language is not translated", async () => {
  await open({ sourceLanguage: "de", targetLanguage: "de" });
  expect((await target()).textContent).toBe("No Translation");
  expect(findButton("Swap the languages")).toHaveProperty("disabled", true);
  await openList(target);
  expect(findOption("German")?.note).toBe("It is spoken: no translation");
  expect(findOption("English")?.note).toBeNull();
});

it("shows what the engine in use does not hear, with the engine that does", async () => {
  speechChoice.set("browser");
  await open({ sourceLanguage: "de" });
  await openList(source);
  await settle(() =>
    expect(findOption("Albanian")).toEqual({
      name: "Albanian",
      note: "Heard by this site's service",
      isDisabled: true,
    }),
  );
  expect(findOption("Japanese")?.isDisabled).toBe(false);
  expect(findOption("Detect language")).toBeUndefined();
  expect(findOption("German and Simplified Chinese")).toBeUndefined();
});

it("still shows a choice that the engine in use does not hear", async () => {
  await open({ sourceLanguage: "detect" }, "english");
  await openList(source);
  await settle(() => expect(findOption("Detect language")?.note).toBe("Not heard here"));
  expect(findOption("German")?.note).toBe("Heard by this browser");
});

it("does not change what is spoken while it is recorded, and says why", async () => {
  const { update } = await open({ ...recordingView(), sourceLanguage: "de" });
  const locked = await source();
  expect(locked.title).toBe("Pause the recording to change what is spoken.");
  await act(async () => locked.click());
  locked.focus();
  await press("ArrowDown");
  expect(document.querySelector("[role=listbox]")).toBeNull();
  expect(findButton("Swap the languages")).toHaveProperty("disabled", true);
  await openList(target);
  await press("Escape");
  // In both directions the target is heard too.
  await update({ isTwoWay: true });
  expect((await target()).title).not.toBe("");
  await update({ status: "paused" });
  expect((await source()).title).toBe("");
  expect(document.querySelector("[role=listbox]")).toBeNull();
});

const createPair = (
  sourceLanguage: SourceLanguage,
  targetLanguage: TargetLanguage,
  isTwoWay = false,
): LanguagePair => ({ sourceLanguage, targetLanguage, isTwoWay });

it.each([
  [createPair("de", "en"), createPair("en", "de")],
  [createPair("en", "zh", true), createPair("zh", "en", true)],
  [createPair("zh", "en"), createPair("en", "zh-cn")],
  [createPair("detect", "en"), null],
  [createPair("de", "none"), null],
  [createPair("zh", "zh"), null],
])("swaps %o to %o", (pair, swapped) => {
  expect(swapLanguages(pair)).toEqual(swapped);
});
