import type { Page, WebSocketRoute } from "@playwright/test";
import type { ShareEnd, ShareServerMessage, ShareStatus } from "#shared/share.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { mixing } from "./sentences.ts";
import { looks, setWidth, widths } from "./shoot.ts";

type Snapshot = Extract<ShareServerMessage, { type: "snapshot" }>;

const toSnapshot = (status: ShareStatus, rows: number, over: Partial<Snapshot> = {}): Snapshot => ({
  type: "snapshot",
  epoch: "00000000-0000-4000-8000-000000000000",
  seq: 1,
  language: "zh-cn",
  isLanguageRefused: false,
  pagesLeft: 0,
  lecture: {
    title: "Thermodynamics, week 6",
    speakerNames: { "1": "Prof. Okafor" },
    sourceLanguage: "en",
    targetLanguage: "zh-cn",
    isTwoWay: false,
    mode: "while_recording",
    mayCopy: true,
    languages: ["zh-cn", "es", "fr", "ja"],
  },
  summary: null,
  status,
  isTranslationPaused: false,
  live:
    status === "live"
      ? {
          finalText: "But in a room full of air",
          interimText: " the odds are",
          speaker: "1",
          spokenIn: "en",
          startMs: 54_000,
        }
      : null,
  rows: mixing
    .slice(0, rows)
    .map(({ translated: _, ...row }, position) => ({ ...row, spokenIn: "en", position })),
  translations: mixing
    .slice(0, rows)
    .map(({ translated }, position) => ({ position, text: translated })),
  ...over,
});

const closed = (reason: ShareEnd): ShareServerMessage => ({ type: "closed", reason });

interface State {
  messages: ShareServerMessage[];
  /** What the page says then. */
  status?: string;
  after?: (socket: WebSocketRoute, page: Page) => Promise<void>;
}

const states: Record<string, State> = {
  waiting: { messages: [toSnapshot("waiting", 0)], status: "waiting" },
  live: { messages: [toSnapshot("live", 6)], status: "live" },
  paused: { messages: [toSnapshot("paused", 6)], status: "paused" },
  lost: {
    messages: [toSnapshot("live", 6)],
    status: "lost",
    after: async (socket) => socket.close({ code: 1011 }),
  },
  refused: {
    messages: [toSnapshot("live", 6, { language: "none", isLanguageRefused: true })],
    status: "live",
  },
  kept: { messages: [toSnapshot("paused", 6), closed("ended")], status: "closed" },
  unknown: { messages: [closed("unknown")] },
  full: { messages: [closed("full")] },
};

for (const [name, { messages, status, after }] of Object.entries(states))
  test(`captures a reader's page: ${name}`, async ({ visit }) => {
    const page = await visit();
    let last: WebSocketRoute | null = null;
    await page.routeWebSocket(/\/api\/shares/, (socket) => {
      // Later attempts stay open without an answer.
      if (last === null) for (const message of messages) socket.send(JSON.stringify(message));
      last = socket;
    });
    await page.addInitScript(() =>
      localStorage.setItem("readerLanguage", localStorage.getItem("readerLanguage") ?? "zh-cn"),
    );
    await page.goto("/auth");
    for (const look of looks) {
      await setLook(page, look);
      for (const width of widths) {
        last = null;
        await setWidth(page, width);
        await page.goto("/live/AAAAAAAAAAAAAAAAAAAAAA");
        await expect(
          page.locator(status ? "[data-row], [data-live-status]" : "h2").first(),
        ).toBeVisible();
        await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
        if (last !== null) await after?.(last, page);
        if (status) await expect(page.locator(`header [data-live-status=${status}]`)).toBeVisible();
        await page.screenshot({
          path: `screenshots/live-${name}-${look.language}-${look.theme}-${width}.png`,
        });
      }
    }
  });
