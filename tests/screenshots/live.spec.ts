import type { Page, WebSocketRoute } from "@playwright/test";
import type { ShareEnd, ShareServerMessage, ShareStatus } from "#shared/share.ts";
import { setLook } from "#tests/e2e/support/look.ts";
import { expect, test } from "#tests/e2e/support/test.ts";
import { looks, setWidth } from "./shoot.ts";

const sentences = [
  [
    "Entropy counts the arrangements that look the same to us.",
    "熵计量的是在我们看来相同的排列有多少。",
  ],
  [
    "When we mix milk into coffee, nothing forbids separation.",
    "把牛奶倒进咖啡以后，没有什么禁止它们再分开。",
  ],
  ["It is only overwhelmingly unlikely.", "只是这极其不可能发生。"],
  ["That is why the second law is about probability.", "因此第二定律说的是概率。"],
  ["Does that mean entropy can decrease?", "这是否意味着熵可以减少？"],
  ["For a moment, in a small system, it can.", "在很小的系统里，片刻之间可以。"],
] as const;

type Snapshot = Extract<ShareServerMessage, { type: "snapshot" }>;

const toSnapshot = (status: ShareStatus, rows: number, over: Partial<Snapshot> = {}): Snapshot => ({
  ...{ type: "snapshot", epoch: "00000000-0000-4000-8000-000000000000", seq: 1 },
  ...{ language: "zh-cn", isLanguageRefused: false, pagesLeft: 0 },
  lecture: {
    ...{ title: "Thermodynamics, week 6", speakerNames: { "1": "Prof. Okafor" } },
    ...{ targetLanguage: "zh-cn", mode: "while_recording", mayCopy: true },
    languages: ["zh-cn", "es", "fr", "ja"],
  },
  ...{ summary: null, status, isTranslationPaused: false },
  live:
    status === "live"
      ? {
          ...{ finalText: "But in a room full of air", interimText: " the odds are", speaker: "1" },
          startMs: 54_000,
        }
      : null,
  rows: sentences.slice(0, rows).map(([english], position) => ({
    ...{ position, english, speaker: position === 4 ? "2" : "1" },
    ...{ startMs: position * 9_000, endMs: position * 9_000 + 8_000 },
  })),
  translations: sentences.slice(0, rows).map(([, text], position) => ({ position, text })),
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
      for (const width of [390, 1440]) {
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
