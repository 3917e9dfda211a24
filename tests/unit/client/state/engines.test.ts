// @vitest-environment happy-dom
import { afterEach, expect, it, vi } from "vitest";
import { chooseSpeechEngine, engines, speechChoice } from "#client/state/engines.ts";
import { isVisitorConfirmed } from "#client/state/offline.ts";
import { queryClient } from "#client/state/queries.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";

afterEach(() => {
  queryClient.clear();
  localStorage.clear();
  speechChoice.set(null);
});

const answer = (speech: boolean, isDemoDefault = false) =>
  fakeServer({
    "site.info": () => ({
      speechService: "Soniox",
      challenge: null,
      outboxUrl: null,
      isDemoDefault,
      standIns: { speech, llm: true, mail: true, payments: true },
    }),
  });
/** The site cannot be reached from now on. */
const goOffline = () => {
  queryClient.clear();
  fakeServer({});
};

it("records without an answer of the site as at the last recording", async () => {
  goOffline();
  expect(await engines.selectSpeech()).toBe("service");
  answer(true);
  expect(await engines.selectSpeech()).toBe("device");
  goOffline();
  expect(await engines.selectSpeech()).toBe("device");
  answer(true, true);
  expect(await engines.selectSpeech()).toBe("demo");
  goOffline();
  expect(await engines.selectSpeech()).toBe("demo");
  answer(false);
  expect(await engines.selectSpeech()).toBe("service");
  goOffline();
  expect(await engines.selectSpeech()).toBe("service");
});

it("keeps to the person's choice without an answer of the site, where this browser can", async () => {
  goOffline();
  for (const engine of ["device", "demo"] as const) {
    chooseSpeechEngine(engine);
    expect(await engines.selectSpeech()).toBe(engine);
  }
  chooseSpeechEngine("browser");
  expect(await engines.selectSpeech()).toBe("service");
  vi.stubGlobal("SpeechRecognition", class {});
  expect(await engines.selectSpeech()).toBe("browser");
});

it("captures for a model on this device while there is no network, whatever the site offers", async () => {
  answer(false);
  expect(await engines.selectSpeech()).toBe("service");
  isVisitorConfirmed.set(false);
  try {
    expect(await engines.selectSpeech()).toBe("device");
    chooseSpeechEngine("browser");
    vi.stubGlobal("SpeechRecognition", class {});
    expect(await engines.selectSpeech()).toBe("browser");
  } finally {
    isVisitorConfirmed.set(true);
  }
});
