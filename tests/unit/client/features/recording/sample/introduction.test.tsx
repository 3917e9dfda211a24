// @vitest-environment happy-dom
import { act } from "react";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { recordingMessages } from "#client/features/recording/messages/index.ts";
import { Introduction } from "#client/features/recording/sample/introduction.tsx";
import { currentSample } from "#client/features/recording/screen-state.ts";
import { showLanguage } from "#client/i18n/bundle.ts";
import { languageMessages } from "#client/i18n/languages/index.ts";
import { useValue } from "#client/lib/hooks.ts";
import type { ShownText } from "#client/reading/shown-texts.ts";
import type { SessionView } from "#client/recorder/session-types.ts";
import { click, show } from "#tests/unit/client/kit/page.tsx";
import { recordingWith } from "#tests/unit/client/kit/reading.tsx";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

vi.mock("#client/features/recording/engine-notice.tsx", () => ({ EnginesInUse: () => null }));
vi.mock("#client/lib/browser.ts", async (load) => ({
  ...(await load<typeof import("#client/lib/browser.ts")>()),
  canRecord: () => true,
}));

let session: ReturnType<typeof recordingWith>["session"];
beforeAll(() =>
  Promise.all([showLanguage("en"), recordingMessages.load(), languageMessages.load()]),
);
beforeEach(() => {
  session = recordingWith(0).session;
  session.view.set({ ...session.view.get(), status: "ready" });
});

const change = (values: Partial<SessionView>) =>
  act(async () => session.view.set({ ...session.view.get(), ...values }));
const find = (selector: string) =>
  [...document.querySelectorAll(`figure ${selector}`)].map((element) => element.textContent);

/** The code of the sample is loaded by the click. */
async function playSample() {
  await click("Play a sample lecture");
  await act(() => waitFor(() => expect(currentSample.get()).not.toBeNull()));
}

function Page({ texts }: { texts: readonly ShownText[] }) {
  const sample = useValue(currentSample);
  return sample ? sample.controls : <Introduction session={session} texts={texts} />;
}

it("shows the example in the chosen language and the chosen order", async () => {
  await show(<Page texts={["translation", "original"]} />);
  expect(find("p")).toHaveLength(6);
  expect(find("p")[0]).toBe("大家早上好。");
  expect(find("p")[1]).toBe("Good morning, everyone.");
  await change({ targetLanguage: "ar" });
  expect(find("[lang=ar][dir=rtl]")[0]).toBe("صباح الخير جميعًا.");
});

it("names the sample as English where another language is spoken, without the example", async () => {
  await show(<Page texts={["original", "translation"]} />);
  expect(document.body.textContent).toContain("English appears here sentence by sentence");
  await change({ sourceLanguage: "de", targetLanguage: "en" });
  expect(find("p")).toHaveLength(0);
  expect(document.body.textContent).not.toContain("English appears here");
  expect(document.body.textContent).toContain("Play a sample lecture in English");
  await change({ isTwoWay: true });
  expect(document.body.textContent).toContain("in the column of its language");
});

it("shows the example once where it has no translation", async () => {
  await show(<Page texts={["original", "translation"]} />);
  await change({ targetLanguage: "sv" });
  expect(find("p")).toHaveLength(3);
});

it("shows no example beside a recording without words", async () => {
  await show(<Page texts={["original"]} />);
  expect(find("p")).toHaveLength(3);
  await change({ status: "paused" });
  expect(find("p")).toHaveLength(0);
});

it("plays, pauses and ends the sample, with the focus on a button that exists", async () => {
  await show(
    <>
      <button type="button" id="record-button">
        Record
      </button>
      <Page texts={["original"]} />
    </>,
  );
  await playSample();
  const lecture = currentSample.get()?.lecture;
  expect(lecture?.view.get().status).toBe("recording");
  expect(document.activeElement?.getAttribute("aria-label")).toBe("Pause");
  await click("Pause");
  expect(lecture?.view.get().status).toBe("paused");
  await click("Continue");
  expect(lecture?.view.get().status).toBe("recording");
  document.querySelector<HTMLElement>("section button")?.focus();
  await click("End sample");
  expect(currentSample.get()).toBeNull();
  await waitFor(() => expect(document.activeElement?.id).toBe("record-button"));
});

it("ends the sample where the session begins to record", async () => {
  await show(<Page texts={["original"]} />);
  await playSample();
  const record = vi.spyOn(session, "record");
  await click("Record your own");
  expect(record).toHaveBeenCalledOnce();
  await change({ busy: "starting" });
  expect(currentSample.get()).toBeNull();
});
