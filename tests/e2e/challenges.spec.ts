import type { Page } from "@playwright/test";
import type { SiteInfo } from "#shared/site.ts";
import {
  getButton,
  getField,
  interfaceTexts,
  openSignIn,
  signUpOnForm,
} from "./support/accounts.ts";
import { createAddress } from "./support/journey.ts";
import { type Site, startSite } from "./support/site.ts";
import { expect, test } from "./support/test.ts";

/** Cloudflare's test keys: the widget's behaviour by site key. Only the page has it, so one site is enough. */
const siteKeys = {
  passes: { siteKey: "1x00000000000000000000AA", language: "en" },
  blocks: { siteKey: "2x00000000000000000000AB", language: "zh" },
  asks: { siteKey: "3x00000000000000000000FF", language: "en" },
} as const;
const secretKey = "1x0000000000000000000000000000000AA";

const widgetOrigin = "https://challenges.cloudflare.com";

const check = {
  en: { title: "Are you human?", person: "I am a person", retry: "Try again", cancel: "Cancel" },
  zh: { title: "真人验证", person: "我是真人", retry: "重试", cancel: "取消" },
};

// Parallel tests would each start a site. `state/challenge.test.ts` and `abuse/worker/challenges.test.ts` hold both
// halves every time.
test.describe.configure({ mode: "default" });

let site: Site;
let info: SiteInfo;
test.beforeAll(async () => {
  site = await startSite({
    env: { TURNSTILE_SITE_KEY: siteKeys.passes.siteKey, TURNSTILE_SECRET_KEY: secretKey },
  });
  const answer = await fetch(`${site.url}/trpc/site.info`);
  info = (await answer.json()).result.data;
});
test.afterAll(() => site.close());
test.beforeEach(({ expectConsoleErrors }) => expectConsoleErrors(/status of (403|400)/));

/**
 * In place of the stand-in's widget, one that is a frame of another origin, as Cloudflare's is. The frame passes its token to
 * the page if it has its cookies and its storage.
 */
async function serveFramedWidget(page: Page): Promise<void> {
  const script = `
    window.turnstile = {
      render(element, { action, callback }) {
        addEventListener("message", ({ origin, data }) => {
          if (origin !== "${widgetOrigin}") return;
          callback(data + btoa(JSON.stringify({ action, hostname: location.hostname })));
        });
        const frame = document.createElement("iframe");
        frame.src = "${widgetOrigin}/frame";
        element.append(frame);
        return "framed";
      },
      remove() {},
    };`;
  const frame = `<!doctype html>
    <script>
      document.cookie = "clearance=1; Secure; SameSite=None";
      localStorage.setItem("clearance", "1");
      if (document.cookie.includes("clearance=1")) parent.postMessage("XXXX.DUMMY.TOKEN.XXXX.", "*");
    </script>`;
  await page.route(`${widgetOrigin}/**`, (route) =>
    route.request().url().endsWith("/frame")
      ? route.fulfill({ contentType: "text/html", body: frame })
      : route.fulfill({ contentType: "text/javascript", body: script }),
  );
}

const open = async (
  visit: (options: object) => Promise<Page>,
  at: keyof typeof siteKeys,
  change: Partial<SiteInfo["challenge"]> = {},
) => {
  const { language, siteKey } = siteKeys[at];
  const page = await visit({ language, site });
  const data = { ...info, challenge: { ...info.challenge, siteKey, ...change } };
  await page.route(/\/trpc\/site\.info\?/, (route) =>
    route.fulfill({ json: [{ result: { data } }] }),
  );
  await page.goto("/auth");
  const dialog = page.getByRole("dialog", { name: check[language].title });
  return { page, dialog, say: interfaceTexts[language], card: check[language] };
};

test("signs up where the challenge passes by itself", { tag: "@nightly" }, async ({ visit }) => {
  const { page, dialog, say } = await open(visit, "passes");
  await signUpOnForm(page, say, createAddress());
  await expect(dialog).toHaveCount(0);
});

test("signs up where the challenge is a frame of another origin, in an isolated document", {
  tag: "@nightly",
}, async ({ visit }) => {
  const { page, dialog, say } = await open(visit, "passes", {
    scriptUrl: `${widgetOrigin}/turnstile/v0/api.js`,
  });
  await serveFramedWidget(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await signUpOnForm(page, say, createAddress());
  await expect(dialog).toHaveCount(0);
});

test("requests no new password where the challenge blocks", { tag: "@nightly" }, async ({
  visit,
}) => {
  const { page, dialog, say, card } = await open(visit, "blocks");
  await openSignIn(page, say);
  await getButton(page, say.forgot).click();
  await getField(page, say.email).fill(createAddress());
  await getButton(page, say.resetPassword).click();
  await expect(dialog).toContainText("challenges.cloudflare.com");
  await dialog.getByRole("button", { name: card.retry }).click();
  await expect(dialog).toContainText("challenges.cloudflare.com");
  await dialog.getByRole("button", { name: card.cancel }).click();
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/auth$/);
});

test("continues as guest where the challenge asks, by keyboard", { tag: "@nightly" }, async ({
  visit,
}) => {
  const { page, dialog, card } = await open(visit, "asks");
  await getButton(page, "Record without an account").click();
  await expect(dialog).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(dialog.getByLabel(card.person)).toBeFocused();
  await page.keyboard.press("Space");
  await expect(page).toHaveURL(/\/record$/);
  await expect(dialog).toHaveCount(0);
});
