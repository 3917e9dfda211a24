// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { engineMessages } from "#client/features/recording/engine-messages/index.ts";
import { DemoOffer } from "#client/features/recording/engine-notice.tsx";
import { showLanguage } from "#client/i18n/bundle.ts";
import { chooseSpeechEngine, speechChoice } from "#client/state/engines.ts";
import { queryClient, withData } from "#client/state/queries.tsx";
import { click, show } from "#tests/unit/client/kit/page.tsx";
import { fakeServer } from "#tests/unit/client/kit/server.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeAll(() => Promise.all([showLanguage("en"), engineMessages.load()]));
beforeEach(() => vi.stubGlobal("SpeechRecognition", class {}));
afterEach(() => {
  queryClient.clear();
  localStorage.clear();
  speechChoice.set(null);
});

const Offer = withData(DemoOffer);
const record = vi.fn(async () => {});
const find = (selector: string) => document.querySelector(selector);

async function open({ speech = true, isDemoDefault = false } = {}) {
  const standIns = { speech, llm: true, mail: true, payments: true };
  const getInfo = vi.fn(() => ({ speechService: "Soniox", standIns, isDemoDefault }));
  fakeServer({ "site.info": getInfo });
  await show(<Offer session={{ record }} />);
  await waitFor(() => expect(getInfo).toHaveBeenCalled());
  await act(async () => {});
}

it("says what the demo writes, and starts it at a click", async () => {
  await open();
  const button = await vi.waitUntil(() => find("button"));
  const hint = document.getElementById(button.getAttribute("aria-describedby") ?? "");
  expect(hint?.textContent).toContain("the sample lecture at the pace of your voice");
  await click("Try it with the demo voice");
  expect(record.mock.calls).toEqual([[{ engine: "demo" }]]);
});

it("is not offered where Record uses it, nor where a service recognizes", async () => {
  await open({ isDemoDefault: true });
  expect(find("button")).toBeNull();
  queryClient.clear();
  await open({ speech: false });
  expect(find("button")).toBeNull();
  queryClient.clear();
  await open();
  await vi.waitUntil(() => find("button"));
  await act(async () => chooseSpeechEngine("demo"));
  expect(find("button")).toBeNull();
});
