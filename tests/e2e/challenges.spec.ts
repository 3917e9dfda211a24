import type { SiteInfo } from "#shared/site.ts";
import {
  getButton,
  getField,
  getHeading,
  getToastText,
  interfaceTexts,
} from "./support/accounts.ts";
import { createAddress, password } from "./support/journey.ts";
import { type Site, startSite } from "./support/site.ts";
import { expect, test } from "./support/test.ts";

/** Cloudflare's test keys: the widget's behaviour by site key. Only the page has it, so one site is enough. */
const siteKeys = [
  ["passes", "1x00000000000000000000AA", "en"],
  ["blocks", "2x00000000000000000000AB", "zh"],
  ["asks", "3x00000000000000000000FF", "en"],
] as const;
const secretKey = "1x0000000000000000000000000000000AA";
const refused = /status of (403|400)/;

const check = {
  en: { title: "Are you human?", person: "I am a person", retry: "Try again", cancel: "Cancel" },
  zh: { title: "真人验证", person: "我是真人", retry: "重试", cancel: "取消" },
};

// Parallel tests would each start a site.
test.describe.configure({ mode: "default" });

let site: Site;
let info: SiteInfo;
test.beforeAll(async () => {
  const [[, siteKey]] = siteKeys;
  site = await startSite({
    env: { TURNSTILE_SITE_KEY: siteKey, TURNSTILE_SECRET_KEY: secretKey },
  });
  const answer = await fetch(`${site.url}/trpc/site.info`);
  info = (await answer.json()).result.data;
});
test.afterAll(() => site.close());

for (const [kind, siteKey, language] of siteKeys) {
  const say = interfaceTexts[language];
  const card = check[language];

  test.describe(`a site whose challenge ${kind} (${language})`, () => {
    test.beforeEach(({ expectConsoleErrors }) => expectConsoleErrors(refused));

    const begin = {
      "sign up": async (page: import("@playwright/test").Page) => {
        await page.goto("/auth");
        await page.getByRole("tab", { name: say.signUp }).click();
        await getField(page, say.email).fill(createAddress());
        await getField(page, say.password).fill(password);
        await getField(page, say.confirmPassword).fill(password);
        await getButton(page, say.createAccount).click();
      },
      "forgot the password": async (page: import("@playwright/test").Page) => {
        await page.goto("/auth");
        await getButton(page, say.forgot).click();
        await getField(page, say.email).fill(createAddress());
        await getButton(page, say.resetPassword).click();
      },
      "continue as guest": async (page: import("@playwright/test").Page) => {
        await page.goto("/auth");
        await page.getByRole("tab", { name: say.guestMode }).click();
        await getButton(page, say.asGuest).click();
      },
    };
    const end = {
      "sign up": (page: import("@playwright/test").Page) =>
        expect(getHeading(page, say.home)).toBeVisible(),
      "forgot the password": (page: import("@playwright/test").Page) =>
        expect(getToastText(page, say.resetSent, say)).toBeVisible(),
      "continue as guest": (page: import("@playwright/test").Page) =>
        expect(page).toHaveURL(/\/record$/),
    };

    for (const way of ["sign up", "forgot the password", "continue as guest"] as const)
      test(way, async ({ visit }) => {
        const page = await visit({ language, site });
        const data = { ...info, challenge: { ...info.challenge, siteKey } };
        await page.route(/\/trpc\/site\.info\?/, (route) =>
          route.fulfill({ json: [{ result: { data } }] }),
        );
        await begin[way](page);
        const dialog = page.getByRole("dialog", { name: card.title });
        if (kind === "asks") {
          await expect(dialog).toBeFocused();
          await page.keyboard.press("Tab");
          await expect(dialog.getByLabel(card.person)).toBeFocused();
          await page.keyboard.press("Space");
        }
        if (kind === "blocks") {
          await expect(dialog).toContainText("challenges.cloudflare.com");
          await dialog.getByRole("button", { name: card.retry }).click();
          await expect(dialog).toContainText("challenges.cloudflare.com");
          await dialog.getByRole("button", { name: card.cancel }).click();
          await expect(dialog).toHaveCount(0);
          await expect(page).toHaveURL(/\/auth$/);
          return;
        }
        await end[way](page);
        await expect(dialog).toHaveCount(0);
      });
  });
}
