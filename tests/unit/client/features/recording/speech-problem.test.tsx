// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import { modelMessages } from "#client/features/recording/model-messages/index.ts";
import SpeechProblem from "#client/features/recording/speech-problem.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { Signal } from "#client/lib/observable.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { RecordingSession, SessionView } from "#client/recorder/session-types.ts";
import { type OpenSource, openSources } from "#client/sound/display/sound-sources.ts";
import { queryClient } from "#client/state/queries.tsx";
import type { SourceLanguage } from "#shared/languages.ts";
import { show, waitForText } from "#tests/unit/client/kit/page.tsx";
import { recordingView } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitUntil } from "#tests/unit/client/kit/wait-for.ts";

beforeAll(() => Promise.all([showLanguage("en"), engineMessages.load(), modelMessages.load()]));
beforeEach(() => {
  openSources.set([]);
  vi.stubGlobal("SpeechRecognition", class {});
  const standIns = { speech: false, llm: true, mail: true, payments: true };
  const info = { speechService: "Soniox", recognizer: "soniox", isDemoDefault: false };
  fakeServer({ "site.info": () => ({ ...info, standIns }) });
});
afterEach(() => {
  queryClient.clear();
  vi.unstubAllGlobals();
});

/** The notice of a recording. */
const open = (change: Partial<SessionView>) =>
  show(
    <SpeechProblem
      session={{ view: new Signal(recordingView(change)) } as unknown as RecordingSession}
    />,
  );

/** The notice, and the engines that it offers, where `engine` does not know the language. */
async function openProblem(engine: SpeechEngine, sourceLanguage: SourceLanguage = "en") {
  await open({
    speechEngine: engine,
    waitingSeconds: 3,
    sourceLanguage,
    speechProblem: { engine, reason: "noLanguage" },
  });
  const listButtons = () =>
    [...document.querySelectorAll("[data-live-notice] > div > button")].map(
      (button) => button.textContent,
    );
  await waitUntil(() => listButtons().length > 1);
  return { title: document.querySelector("[role=status]")?.textContent, buttons: listButtons() };
}

it("says which microphone gives no sound", async () => {
  await open({ microphone: "silent", microphoneLabel: "Headset" });
  await waitForText("We hear nothing. Check Headset");
});

it("says that the browser delivers no sound", async () => {
  await open({ microphone: "notDelivered" });
  await waitForText("This browser delivers no sound");
});

it("goes on offering models while the person only reads them", async () => {
  await open({
    speechEngine: "device",
    microphone: "silent",
    speechProblem: { engine: "device", reason: "modelMissing" },
  });
  await waitForText("Recording Settings");
  expect(document.body.textContent).not.toContain("We hear nothing");
});

const useService = "Use this site's service";
const useDevice = "Recognize on this device";

it.each<[SpeechEngine, string, string[]]>([
  ["service", "This site's speech service", ["Recognize in this browser", useDevice]],
  [
    "browser",
    "This browser's speech recognition",
    [useService, "Try this browser again", useDevice],
  ],
  ["device", "No speech model on this device", [useService, "Recognize in this browser"]],
])("offers what may know the language where the %s does not", async (engine, name, offers) => {
  const { title, buttons } = await openProblem(engine);
  const verb = engine === "device" ? "knows" : "does not know";
  expect(title).toBe(`${name} ${verb} this lecture's language.`);
  expect(buttons.toSorted()).toEqual([...offers, "Recording Settings"].toSorted());
});

it("offers no engine that does not know the language either", async () => {
  const { buttons } = await openProblem("device", "sq");
  expect(buttons).toEqual([useService, "Recording Settings"]);
});

/** The notice while the sources have these problems. */
async function showSources(
  problems: Partial<Record<OpenSource["kind"], OpenSource["problem"]>>,
  microphone: "on" | "silent" = "on",
) {
  const reopen = vi.fn(async () => {});
  const kinds = Object.keys(problems) as OpenSource["kind"][];
  openSources.set(
    kinds.map((kind) => ({ kind, problem: problems[kind] ?? null, level: () => 0, reopen })),
  );
  await open({ microphone, microphoneLabel: "Mix" });
  const notice = document.querySelector("[data-live-notice]");
  return { text: notice?.textContent ?? "", button: notice?.querySelector("button"), reopen };
}

it.each([
  ["ended", "The shared sound has ended.The microphone is still recorded."],
  ["notShared", "No tab or screen was chosen.The microphone is still recorded."],
  ["noSound", "It was shared without sound.The microphone is still recorded."],
] as const)("says that the tab is %s, and that the microphone goes on", async (problem, text) => {
  const shown = await showSources({ microphone: null, display: problem });
  expect(shown.text).toContain(text);
  shown.button?.click();
  expect(shown.reopen).toHaveBeenCalledOnce();
});

it("says that the microphone is gone, and that the tab goes on", async () => {
  const { text } = await showSources({ microphone: "ended", display: null });
  expect(text).toContain("The microphone is gone.The tab is still recorded.");
});

it("offers no other try of a muted microphone", async () => {
  const { text, reopen, button } = await showSources({ microphone: "silent", display: null });
  expect(text).toContain("The microphone gives no sound. Is it muted?");
  button?.click();
  expect(reopen).not.toHaveBeenCalled();
});

it("does not blame the microphone where only a tab is recorded", async () => {
  const { text } = await showSources({ display: null }, "silent");
  expect(text).toContain("We hear nothing from what is shared.");
  expect(text).not.toContain("Mix");
});

it("offers other engines than one that hears only the microphone", async () => {
  await open({
    speechEngine: "browser",
    waitingSeconds: 3,
    speechProblem: { engine: "browser", reason: "onlyMicrophone" },
  });
  await waitForText(useService);
  expect(document.body.textContent).toContain("hears only the microphone, not what is recorded");
  expect(document.body.textContent).not.toContain("Try this browser again");
});
