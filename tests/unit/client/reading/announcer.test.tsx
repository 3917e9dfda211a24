// @vitest-environment happy-dom
import { act } from "react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { reportFirstPage } from "#client/lib/after-first-paint.ts";
import { readingMessages } from "#client/reading/messages/index.ts";
import { setReadingMode } from "#client/state/preferences.ts";
import { show } from "#tests/unit/client/kit/page.tsx";
import { recordingWith, Surface } from "#tests/unit/client/kit/reading.tsx";
import { createLine, createRow } from "#tests/unit/client/kit/rows.ts";
import { waitFor } from "#tests/unit/client/kit/wait-for.ts";

beforeAll(() => Promise.all([showLanguage("en"), readingMessages.load()]));
afterEach(() => act(async () => setReadingMode("both")));

/** Shows a recording, and logs what a screen reader is given of it. */
async function logAnnouncements() {
  const { session, transcript } = recordingWith(2);
  const setStatus = (status: "recording" | "paused") =>
    act(async () => session.view.set({ ...session.view.get(), status }));
  await setStatus("paused");
  await show(<Surface lecture={session} />);
  // It waits for the first paint.
  reportFirstPage();
  const findRegion = () => document.querySelector("[data-announcements]");
  await waitFor(() => expect(findRegion()).not.toBeNull());
  const region = findRegion();
  expect(region?.getAttribute("aria-live")).toBe("polite");
  const log: string[] = [];
  const observer = new MutationObserver((changes) => {
    for (const node of changes.flatMap(({ addedNodes }) => [...addedNodes]))
      if (node instanceof HTMLElement) log.push(`${node.lang}: ${node.textContent}`);
  });
  if (region) observer.observe(region, { childList: true, subtree: true });
  const say = (original: string, position: number) =>
    act(async () => {
      transcript.setLive(createLine({ finalText: original, startMs: position * 4_000 }));
      const startMs = position * 4_000;
      transcript.append([
        createRow({
          position: transcript.length,
          original,
          translated: "",
          translation: "waiting",
          startMs,
          endMs: startMs + 1,
        }),
      ]);
      transcript.setLive(null);
    });
  const translate = (position: number, translated: string) =>
    act(async () =>
      transcript.change(`${position}`, {
        translated,
        translatedInto: "zh-cn",
        translation: "done",
      }),
    );
  return { log, region, transcript, setStatus, say, translate };
}

it("announces each finished sentence once, in its language and in the chosen reading mode", async () => {
  const { log, transcript, setStatus, say, translate } = await logAnnouncements();
  await setStatus("recording");
  await say("Heat flows.", 2);
  await translate(2, "热会流动。");
  await act(async () => transcript.change("2", { original: "Heat flows on." }));
  await act(async () => setReadingMode("translation"));
  await say("It is warm.", 3);
  await translate(3, "很暖。");
  // The words of a Stop come when the page already says Paused.
  await setStatus("paused");
  await say("Goodbye.", 4);
  await act(async () => transcript.replaceAll([...transcript.rows()]));
  await translate(4, "再见。");
  await waitFor(() =>
    expect(log).toEqual(["en: Heat flows.", "zh-Hans: 很暖。", "zh-Hans: 再见。"]),
  );
});

it("keeps only the last announcements in the page", async () => {
  const { region, setStatus, say } = await logAnnouncements();
  await setStatus("recording");
  for (let position = 2; position < 20; position += 1) await say("Yes.", position);
  expect(region?.children).toHaveLength(10);
});
