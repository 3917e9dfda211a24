// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import HeadMessage, { SpeechChoices } from "#client/features/recording/head-message.tsx";
import { modelMessages } from "#client/features/recording/model-messages/index.ts";
import { currentDialog } from "#client/features/recording/screen-state.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { Signal } from "#client/lib/observable.ts";
import type { SpeechEngine } from "#client/recognition/speech-engine.ts";
import type { RecordingSession, SessionView } from "#client/recorder/session-types.ts";
import { type OpenSource, openSources } from "#client/sound/display/sound-sources.ts";
import { isOnline } from "#client/state/offline.ts";
import { queryClient, withData } from "#client/state/queries.tsx";
import type { SourceLanguage } from "#shared/languages.ts";
import { showLibrary } from "#tests/unit/client/kit/library.tsx";
import { click, waitForText } from "#tests/unit/client/kit/page.tsx";
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

const Choices = withData(SpeechChoices);

/** The message below the head of a recording, and what is offered where there is more than one way out. */
const open = (change: Partial<SessionView>) => {
  const session = { view: new Signal(recordingView(change)) } as unknown as RecordingSession;
  return showLibrary(
    <>
      <HeadMessage session={session} isRead={false} />
      <div data-choices>
        <Choices session={session} onClose={() => {}} />
      </div>
    </>,
  );
};

/** The message, and the engines that it offers, where `engine` does not know the language. */
async function openProblem(engine: SpeechEngine, sourceLanguage: SourceLanguage = "en") {
  await open({
    speechEngine: engine,
    waitingSeconds: 3,
    sourceLanguage,
    speechProblem: { engine, reason: "noLanguage" },
  });
  const listButtons = () =>
    [...document.querySelectorAll("[data-choices] > div > div:last-child > button")].map(
      (button) => button.textContent,
    );
  await waitUntil(() => listButtons().length > 1);
  return { title: document.querySelector("[role=status] b")?.textContent, buttons: listButtons() };
}

it("says which microphone gives no sound", async () => {
  await open({ microphone: "silent", microphoneLabel: "Headset" });
  await waitForText("We hear nothing. Check Headset");
});

it("says that the browser delivers no sound", async () => {
  await open({ microphone: "notDelivered" });
  await waitForText("This browser delivers no sound");
});

it("goes on saying that a model is missing while the person is silent", async () => {
  await open({
    speechEngine: "device",
    microphone: "silent",
    speechProblem: { engine: "device", reason: "modelMissing" },
  });
  await click("See what can");
  expect(currentDialog.get()).toBe("speech");
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
  const { buttons } = await openProblem("browser", "sq");
  expect(buttons).toEqual([useService, useDevice, "Recording Settings"]);
});

it("has the one way out itself", async () => {
  await open({
    speechEngine: "service",
    waitingSeconds: 3,
    status: "paused",
    speechProblem: { engine: "service", reason: "unreachable" },
  });
  const readAction = () => document.querySelector("[data-message] button")?.textContent;
  await waitUntil(() => readAction() === useDevice);
});

it("says first that nothing writes the sound down, then that there is none, then that the device is offline", async () => {
  isOnline.set(false);
  const problem = { engine: "browser", reason: "unreachable" } as const;
  const readTitle = () => document.querySelector("[data-message] b")?.textContent;
  await open({ speechEngine: "browser", speechProblem: problem, microphone: "silent" });
  expect(readTitle()).toContain("cannot reach its service");
  await open({ microphone: "silent", microphoneLabel: "Headset" });
  expect(readTitle()).toBe("We hear nothing. Check Headset");
  const usage = { usedSeconds: 3_500, limitSeconds: 3_600 };
  await open({ usage });
  expect(readTitle()).toBe("You are offline. The recording goes on.");
  isOnline.set(true);
  await open({ usage });
  expect(readTitle()).toBe("2 minutes left");
  await open({});
  expect(document.querySelector("[data-message]")).toBeNull();
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
  const notice = document.querySelector("[data-message]");
  return { text: notice?.textContent ?? "", button: notice?.querySelector("button"), reopen };
}

it.each([
  ["ended", "The shared sound has ended. The microphone is still recorded."],
  ["notShared", "No tab or screen was chosen. The microphone is still recorded."],
  ["noSound", "It was shared without sound. The microphone is still recorded."],
] as const)("says that the tab is %s, and that the microphone goes on", async (problem, text) => {
  const shown = await showSources({ microphone: null, display: problem });
  expect(shown.text).toContain(text);
  shown.button?.click();
  expect(shown.reopen).toHaveBeenCalledOnce();
});

it("says that the microphone is gone, and that the tab goes on", async () => {
  const { text } = await showSources({ microphone: "ended", display: null });
  expect(text).toContain("The microphone is gone. The tab is still recorded.");
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
