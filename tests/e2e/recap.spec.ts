import type { Page } from "@playwright/test";
import { relayClientMessage, relayServerMessage } from "#shared/relay.ts";
import { findBarriers } from "./support/axe.ts";
import {
  createSpeech,
  expectSaved,
  record,
  signUp,
  stopRecording,
  waitForTranscriptText,
} from "./support/journey.ts";
import { measureSidewaysScroll } from "./support/look.ts";
import { installMicrophone } from "./support/microphone.ts";
import { watchStillness } from "./support/stillness.ts";
import { expect, test } from "./support/test.ts";
import { getTranscript, readRows, toExpectedRows } from "./support/transcript.ts";

const getCard = (page: Page) => page.getByRole("region", { name: "Catch up" });

/** Measures how long the room takes to acknowledge chunks that are sent with and without a recap on the page. */
function measureAcknowledgements(page: Page) {
  const sentAt = new Map<number, { at: number; hasRecap: boolean }>();
  const delays = { with: [] as number[], without: [] as number[] };
  const phase = { hasRecap: false };
  const note = (seq: number) =>
    sentAt.set(seq, { at: performance.now(), hasRecap: phase.hasRecap });
  page.on("websocket", (socket) => {
    if (!socket.url().includes("/api/recordings/")) return;
    socket.on("framesent", ({ payload }) => {
      if (typeof payload !== "string") {
        note(payload.readUInt32BE(0));
        return;
      }
      const { data } = relayClientMessage.safeParse(JSON.parse(payload));
      if (data?.type === "audio") note(data.seq ?? 0);
    });
    socket.on("framereceived", ({ payload }) => {
      const { data } = relayServerMessage.safeParse(JSON.parse(String(payload)));
      if (data?.type !== "ack") return;
      for (const [seq, { at, hasRecap }] of sentAt)
        if (seq <= data.seq) {
          delays[hasRecap ? "with" : "without"].push(performance.now() - at);
          sentAt.delete(seq);
        }
    });
  });
  const describe = (values: readonly number[]) => {
    const sorted = values.toSorted((a, b) => a - b);
    const at = (part: number) => Math.round(sorted[Math.floor(part * (sorted.length - 1))] ?? NaN);
    return `${sorted.length} chunks, median ${at(0.5)} ms, p95 ${at(0.95)} ms`;
  };
  return {
    phase,
    delays,
    report: () =>
      `acknowledged without a recap: ${describe(delays.without)}; with: ${describe(delays.with)}`,
  };
}

/** Notes from now on which finished rows the layout has shifted. */
const watchShifts = (page: Page) =>
  page.evaluate(async () => {
    const shifts: string[] = [];
    const add = (entries: PerformanceEntryList) => {
      for (const entry of entries) {
        const sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] =
          Reflect.get(entry, "sources");
        for (const { node, previousRect, currentRect } of sources) {
          const element = node instanceof Element ? node : node?.parentElement;
          const row = element?.closest<HTMLElement>("[data-row]");
          if (row) shifts.push(`${row.dataset.row}: ${previousRect.y} → ${currentRect.y}`);
        }
      }
    };
    // What the change of the window's width has moved is past.
    for (let frame = 0; frame < 3; frame += 1)
      await new Promise((resolve) => requestAnimationFrame(resolve));
    const observer = new PerformanceObserver((list) => add(list.getEntries()));
    observer.observe({ type: "layout-shift" });
    Reflect.set(window, "readShifts", () => {
      add(observer.takeRecords());
      observer.disconnect();
      return shifts;
    });
  });

for (const { width, height } of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])
  test(
    `catches up at ${width} px while a recording with sound goes on, without moving a row or losing a word`,
    { tag: "@nightly" },
    async ({ visit }, info) => {
      const fixture = createSpeech({ wordsPerSentence: 4, sentencesPerSpeaker: 2, to: 24 });
      const page = await visit();
      await installMicrophone(page.context(), fixture);
      const relay = measureAcknowledgements(page);
      await signUp(page, "/record");
      await record(page);
      const sentences = fixture.sentences.map(({ text }) => text);
      await waitForTranscriptText(page, sentences[2] ?? "", fixture.durationMs);

      await page.setViewportSize({ width, height });
      await expect(page.getByRole("button", { name: "What was just said?" })).toBeVisible();
      const endWatch = await watchStillness(page);
      await watchShifts(page);
      relay.phase.hasRecap = true;
      await page.keyboard.press("c");
      const card = getCard(page);
      await expect(card).toBeFocused();
      await expect(card).toContainText(/Up to \d:\d\d: [\w-]+ [\w-]+ [\w-]+ [\w-]+\./);
      await expect(card.getByRole("button", { name: "Keep as note" })).toBeEnabled();
      await expect(card).toContainText("〔简体中文·演示〕");
      await card.getByRole("button", { name: "The last 3 minutes" }).click();
      await expect(card.getByRole("button", { name: "Keep as note" })).toBeEnabled();
      const box = await card.boundingBox();
      expect(box?.height).toBeLessThanOrEqual((width < 500 ? 0.6 : 0.45) * height);
      await expect.poll(() => measureSidewaysScroll(page)).toBe(0);
      relay.phase.hasRecap = false;
      // A statement leads to its row, and the card stays.
      await card
        .getByRole("button", { name: /^Open \d:\d\d: / })
        .first()
        .click();
      await expect(page.locator("[data-row]:focus")).toBeInViewport();
      await expect(card).toBeVisible();
      expect(await endWatch()).toEqual([]);
      expect(await page.evaluate(() => Reflect.get(window, "readShifts")())).toEqual([]);
      if (width > 500) expect(await findBarriers(page)).toEqual([]);
      await card.getByRole("button", { name: "Keep as note" }).click();
      await expect(card.getByRole("button", { name: "Kept as note" })).toBeDisabled();
      await card.getByRole("button", { name: "Close" }).click();
      await expect(card).toBeHidden();

      await waitForTranscriptText(page, sentences.at(-1) ?? "", fixture.durationMs);
      await stopRecording(page);
      await expect.poll(() => readRows(getTranscript(page))).toEqual(toExpectedRows(fixture));
      await expectSaved(page);
      await page.reload();
      await expect(getTranscript(page).locator("[data-note]")).toContainText(/Recap up to \d:\d\d/);
      expect(relay.delays.with.length).toBeGreaterThan(0);
      info.annotations.push({ type: "relay", description: relay.report() });
      console.info(relay.report());
    },
  );
