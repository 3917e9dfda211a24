// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import EngineNotice, {
  DemoOffer,
  EnginesInUse,
} from "#client/features/recording/engine-notice.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { chooseSpeechEngine, speechChoice } from "#client/state/engines.ts";
import { queryClient, withData } from "#client/state/queries.tsx";
import { click, findButton, hide, show } from "#tests/unit/client/kit/page.tsx";
import { holdRecording, recordingView } from "#tests/unit/client/kit/recording.ts";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitFor, waitUntil } from "#tests/unit/client/kit/wait-for.ts";

const getInfo = vi.fn();
function serve({ speech = true, isDemoDefault = false } = {}) {
  const standIns = { speech, llm: true, mail: true, payments: true };
  getInfo.mockReturnValue({
    speechService: "Soniox",
    recognizer: "soniox",
    isDemoDefault,
    standIns,
  });
  fakeServer({ "site.info": getInfo });
}

beforeAll(() => Promise.all([showLanguage("en"), engineMessages.load()]));
beforeEach(() => {
  vi.stubGlobal("SpeechRecognition", class {});
  serve();
});
afterEach(() => {
  queryClient.clear();
  localStorage.clear();
  speechChoice.set(null);
  vi.unstubAllGlobals();
});

const session = holdRecording();
const { view, missingTranslations } = session;
const change = (next: Partial<SessionView>) => act(async () => view.set(recordingView(next)));
const readTexts = () => [...document.querySelectorAll("aside span")].map((one) => one.textContent);
const open = async (next: Partial<SessionView>) => {
  view.set(recordingView(next));
  missingTranslations.set(null);
  await show(<EngineNotice session={session} />);
  await waitUntil(() => document.querySelector("aside"));
};

it("says which engines are used, and nothing of what the page says elsewhere", async () => {
  await open({ speechEngine: "browser" });
  const ofSpeech = ["This browser recognizes speech.", "No hours used"];
  expect(readTexts()).toEqual([...ofSpeech, "Nothing here can translate."]);
  await act(async () => missingTranslations.set({ position: 0, reason: "none" }));
  expect(readTexts()).toEqual(ofSpeech);
  await change({
    speechEngine: "browser",
    speechProblem: { engine: "browser", reason: "unreachable" },
  });
  expect(document.querySelector("aside")).toBeNull();
});

it("does not name the next engine beside what another one has recognised", async () => {
  await open({ speechEngine: "demo" });
  expect(readTexts()[0]).toBe("Demo voice: not your own words.");
  await change({ status: "paused", speechEngine: "demo" });
  expect(readTexts()).toEqual(["Nothing here can translate."]);
  await change({ status: "paused", speechEngine: "browser" });
  expect(readTexts()[0]).toBe("This browser recognizes speech.");
});

it("says before a recording what a phone does with it", async () => {
  view.set(recordingView({ status: "ready", speechEngine: null }));
  await show(<EngineNotice session={session} />);
  expect(readTexts()).toEqual([]);
  const agent = "Mozilla/5.0 (Android 15; Mobile; rv:151.0) Gecko/151.0 Firefox/151.0";
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(agent);
  await hide();
  await show(<EngineNotice session={session} />);
  expect(readTexts()).toEqual(["Out of sight, this page may stop recording."]);
  vi.restoreAllMocks();
});

it("says more in the introduction", async () => {
  view.set(recordingView({ status: "ready", speechEngine: null }));
  await show(<EnginesInUse session={session} offersDemo={false} />);
  await waitFor(() => expect(readTexts()[0]).toContain("uses none of your hours"));
});

it("says that the chosen engine does not hear what is spoken, and changes to one that does", async () => {
  chooseSpeechEngine("browser");
  await open({ status: "paused", speechEngine: "browser", sourceLanguage: "sq" });
  expect(readTexts()[0]).toBe("This browser has no Albanian.");
  await change({ status: "paused", sourceLanguage: "detect" });
  expect(readTexts()[0]).toBe("This browser detects no language.");
  // Nothing here does.
  expect(findButton("Change")).toBeDefined();
  await change({ status: "paused", sourceLanguage: "de", targetLanguage: "en", isTwoWay: true });
  expect(readTexts()[0]).toBe("This browser does not hear both languages.");
  await change({ status: "paused", sourceLanguage: "sq" });
  await click("Recognize on this device");
  expect(speechChoice.get()).toBe("device");
  expect(readTexts()).toEqual(["Nothing here can translate."]);
});

it("uses an engine that hears what is spoken where the person has chosen none", async () => {
  await open({ status: "paused", speechEngine: null, sourceLanguage: "sq" });
  expect(readTexts()[0]).toBe("A model on this device recognizes speech.");
  // Nothing here finds out which language is spoken.
  await change({ status: "paused", sourceLanguage: "detect" });
  expect(readTexts()[0]).toBe("This browser detects no language.");
});

it("says nothing of translators where the speech service translates in its stream", async () => {
  serve({ speech: false });
  const recorded = { status: "recording", targetLanguage: "fr" } as const;
  // The service does not hear what the browser recognises.
  await open({ ...recorded, speechEngine: "browser" });
  expect(readTexts().at(-1)).toBe("Nothing here can translate.");
  await change({ ...recorded, speechEngine: "service" });
  expect(readTexts()).toEqual([]);
});

const Offer = withData(DemoOffer);
const record = vi.fn(async () => {});
const findOffer = () => findButton("Try it with the demo voice");

async function openOffer(site: Parameters<typeof serve>[0] = {}) {
  queryClient.clear();
  serve(site);
  getInfo.mockClear();
  await show(<Offer session={{ record }} />);
  await waitFor(() => expect(getInfo).toHaveBeenCalled());
  await act(async () => {});
}

it("says what the demo writes, and starts it at a click", async () => {
  await openOffer();
  await click("Try it with the demo voice");
  const hint = document.getElementById(findOffer()?.getAttribute("aria-describedby") ?? "");
  expect(hint?.textContent).toContain("the sample lecture at the pace of your voice");
  expect(record.mock.calls).toEqual([[{ engine: "demo" }]]);
});

it("does not offer the demo where Record uses it, nor where a service recognizes", async () => {
  await openOffer({ isDemoDefault: true });
  expect(findOffer()).toBeUndefined();
  await openOffer({ speech: false });
  expect(findOffer()).toBeUndefined();
  await openOffer();
  await waitUntil(findOffer);
  await act(async () => chooseSpeechEngine("demo"));
  expect(findOffer()).toBeUndefined();
});
