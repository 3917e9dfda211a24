import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Locator, Page } from "@playwright/test";
import { measureFirstVisits } from "#bench/bundle-measure.ts";
import {
  chooseAccountMenuItem,
  createAccount,
  getButton,
  getField,
  getHeading,
  interfaceTexts,
  openSignIn,
  signIn,
} from "./support/accounts.ts";
import { findBarriers } from "./support/axe.ts";
import { enterAsGuest, record, signUp } from "./support/journey.ts";
import { measureSidewaysScroll } from "./support/look.ts";
import { installMicrophone } from "./support/microphone.ts";
import { buildDir } from "./support/prepared-files.ts";
import { holdCalls, matchCalls, replaceResponse } from "./support/procedures.ts";
import type { Site } from "./support/site.ts";
import { expect, test } from "./support/test.ts";

/** What all pages share: failures, network loss, deployments, the installed app. */

const en = interfaceTexts.en;
const bar = (page: Page, text: string) => page.getByRole("status").getByText(text, { exact: true });
const offlineText =
  "You are offline. This page and the lectures kept on this device stay readable; the rest works again once you are back online.";
const updateText = "A new version of Dualect is ready.";
const errorText =
  /net::ERR_FAILED|Failed to load module script|^PageLoadError|^TRPCClientError|^TypeError: Cannot read|Minified React error/;

const isAccessible = async (page: Page, what: string) =>
  expect(await findBarriers(page), what).toEqual([]);

/**
 * Makes the browser report the network as lost or available, without cutting it. A site on this machine is asked too
 * whether it is there.
 */
async function setNetwork(page: Page, has: boolean): Promise<void> {
  await page.unroute("/api/health");
  if (!has) await page.route("/api/health", (route) => route.abort());
  await page.evaluate((onLine) => {
    Object.defineProperty(navigator, "onLine", { configurable: true, get: () => onLine });
    dispatchEvent(new Event(onLine ? "online" : "offline"));
  }, has);
}

test("keeps a recording running when a page fails to load, and reloads for a deployment after it", async ({
  visit,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(errorText);
  const page = await visit();
  await installMicrophone(page.context());
  await enterAsGuest(page);
  await page.goto("/record");
  await record(page);
  await expect(getButton(page, "Stop")).toBeEnabled();
  await expect(page.getByText("Recording...", { exact: true }).first()).toBeVisible();

  const gone = /\/assets\/profile-[\w-]+\.js$/;
  await page.route(gone, (route) => route.abort());
  await chooseAccountMenuItem(page, en, en.profileSettings);
  await expect(getHeading(page, "This page could not be shown")).toBeVisible();
  await expect(page.getByText("Your recording continues.")).toBeVisible();
  await isAccessible(page, "a page that failed");
  await page.getByRole("link", { name: "Back to the recording" }).click();
  await expect(page.getByText("Recording...", { exact: true }).first()).toBeVisible();

  // The same after a deployment, when missing files are answered with the document: the page does
  // not ask for a reload while it records.
  await page.route(gone, (route) => route.fulfill({ path: "index.html" }));
  await page.route("/version.txt", (route) => route.fulfill({ body: "another-version" }));
  await chooseAccountMenuItem(page, en, en.profileSettings);
  await expect(getHeading(page, "Dualect was updated")).toBeVisible();
  await expect(page.getByText("Reload once the recording has ended.")).toBeVisible();
  await expect(getButton(page, "Reload")).toHaveCount(0);
  await getButton(page, "Stop the recording").click();
  await expect(bar(page, updateText)).toBeVisible({ timeout: 20_000 });
  await page.unroute(gone);
  await page.getByRole("main").getByRole("button", { name: "Reload" }).click();
  await expect(getHeading(page, "Access Denied")).toBeVisible();
});

test("shows an error with a way out when a page or its guard fails", async ({
  site,
  visit,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(errorText);
  // The name of the plan below, before the page ends with it.
  expectConsoleErrors(/^No message plan\./);
  const page = await visit();
  const gone = /\/assets\/home-[\w-]+\.js$/;
  await page.route(gone, (route) => route.abort());
  await page.route(matchCalls("auth.session"), (route) => route.abort());
  await page.goto("/");
  await expect(getHeading(page, "Dualect cannot be reached")).toBeVisible();
  await getButton(page, "中文").click();
  await expect(getHeading(page, "无法连接到课译")).toBeVisible();
  await page.unroute(matchCalls("auth.session"));
  await getButton(page, "重试").click();
  await expect(getButton(page, "登录")).toBeVisible();

  const email = await createAccount(site);
  await signIn(page, interfaceTexts.zh, email);
  await expect(getHeading(page, "页面无法显示")).toBeVisible();
  await page.unroute(gone);
  await getButton(page, "重试").click();
  await expect(getHeading(page, interfaceTexts.zh.home)).toBeVisible();

  const plan = { subscriptionTier: "none of ours" };
  await replaceResponse(page, "subscriptions.check", { result: { data: plan } });
  await page.goto("/profile");
  await expect(getHeading(page, "页面无法显示")).toBeVisible();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.getByRole("link", { name: "返回首页" }).click();
  await expect(getHeading(page, interfaceTexts.zh.home)).toBeVisible();
});

test("reports network loss and deployments in both languages", async ({
  visit,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(errorText);
  const page = await visit({ viewport: { width: 390, height: 844 } });
  await page.goto("/auth");
  await expect(page.getByRole("main")).toBeVisible();
  await setNetwork(page, false);
  await expect(bar(page, offlineText)).toBeVisible();
  await setNetwork(page, true);
  await expect(bar(page, offlineText)).toHaveCount(0);
  await enterAsGuest(page);
  await page.goto("/");

  await chooseAccountMenuItem(page, en, "中文");
  await setNetwork(page, false);
  const chinese = bar(
    page,
    "当前处于离线状态。本页和保存在本机的课堂仍可阅读，其余功能在恢复联网后可用。",
  );
  await expect(chinese).toBeVisible();
  expect((await page.getByRole("banner").boundingBox())?.y).toBe(0);
  await expect.poll(() => measureSidewaysScroll(page)).toBe(0);
  await getButton(page, "关闭").click();
  await expect(chinese).toBeHidden();
  await setNetwork(page, true);

  // The page of a lecture says it below its head, and its controls stay where they are.
  await page.goto("/record");
  // The document's copy of the page is replaced.
  await expect(page.locator("#root")).not.toHaveAttribute("inert");
  const controls = page.getByRole("region", { name: "录音控制" });
  await expect(controls).toBeVisible();
  const place = await controls.boundingBox();
  await setNetwork(page, false);
  await expect(page.getByText("网络已断开。 这一页仍可阅读，也可以录音。")).toBeInViewport({
    ratio: 1,
  });
  await expect(chinese).toBeHidden();
  expect(await controls.boundingBox()).toEqual(place);
  await isAccessible(page, "the recording screen without a network");

  await page.route("/version.txt", (route) => route.fulfill({ body: "another-version" }));
  // A page checks once a minute at most.
  await page.goto("/record");
  await expect(page.getByRole("main")).toBeVisible();
  await setNetwork(page, true);
  await expect(bar(page, "课译有新版本了。")).toBeVisible();
  await getButton(page, "以后再说").click();
  await expect(bar(page, "课译有新版本了。")).toHaveCount(0);
  await page.goto("/");
  await expect(page.getByRole("main")).toBeVisible();
  await page.evaluate(() => {
    Object.assign(window, { before: true });
    dispatchEvent(new Event("online"));
  });
  await getButton(page, "重新加载").click();
  await expect.poll(() => page.evaluate(() => "before" in window)).toBe(false);
});

/** Another address of `site`, for GET, which can be closed. */
async function startGate(site: Site): Promise<{ url: string; close(): void }> {
  const server = createServer(async ({ url }, response) => {
    const answer = await fetch(site.url + url);
    const headers = new Headers(answer.headers);
    // `fetch` has decoded the body.
    for (const name of ["content-encoding", "content-length"]) headers.delete(name);
    response.writeHead(answer.status, [...headers].flat());
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

test("opens the installed app offline and says what works", async ({
  site,
  visit,
  expectConsoleErrors,
}) => {
  expectConsoleErrors(/net::ERR_|^TRPCClientError/);
  const own = await startGate(site);
  try {
    const page = await visit({ serviceWorker: true });
    await page.goto(`${own.url}/auth`);
    await expect(getButton(page, interfaceTexts.zh.signIn)).toBeVisible();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const shells = await Promise.all(names.map((name) => caches.open(name)));
      const requests = (await Promise.all(shells.map((shell) => shell.keys()))).flat();
      return requests.map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toContain("/");
    const [record] = measureFirstVisits(buildDir).filter(({ path }) => path === "/record");
    expect((record?.scripts ?? []).filter((path) => !kept.includes(path))).toEqual([]);
    expect(kept.filter((path) => /^\/(api|trpc)\b/.test(path))).toEqual([]);

    const worker = await fetch(`${own.url}/sw.js`);
    expect(worker.headers.get("content-type")).toMatch(/javascript/);
    expect(worker.headers.get("cache-control")).toBe("no-cache");

    const manifest = await (await fetch(`${own.url}/manifest.webmanifest`)).json();
    expect(manifest).toMatchObject({ name: "Dualect 课译", display: "standalone", start_url: "/" });
    for (const { src, sizes, type } of manifest.icons) {
      const width = await page.evaluate(async (address) => {
        const image = new Image();
        image.src = address;
        await image.decode();
        return image.naturalWidth;
      }, `${own.url}${src}`);
      if (type === "image/png") expect(`${width}x${width}`, src).toBe(sizes);
    }

    own.close();
    await page.goto(`${own.url}/record`);
    await expect(getHeading(page, "无法连接到课译")).toBeVisible();
    await expect(page.getByText("正在进行的录音会继续", { exact: false })).toBeVisible();
    await getButton(page, "EN").click();
    await expect(getHeading(page, "Dualect cannot be reached")).toBeVisible();
  } finally {
    own.close();
  }
});

// `theme.test.ts` and `profiles/router.test.ts` hold that it is the profile's in other browsers.
test("applies the theme before the first paint", async ({ visit }) => {
  const page = await visit();
  const read = page.waitForResponse(matchCalls("profiles.get"));
  await signUp(page);
  await read;
  await chooseAccountMenuItem(page, en, "Switch to the dark theme");
  // Scripts are blocked, so only the first paint is visible.
  await page.route(/\/assets\/.*\.js$/, () => {});
  await page.goto("/", { waitUntil: "commit" });
  await page.waitForFunction(() => document.styleSheets.length > 0 && document.body !== null);
  expect(
    await page.evaluate(() => ({
      html: document.documentElement.className,
      stored: localStorage.getItem("theme"),
      bar: document.querySelector('meta[name="theme-color"]')?.getAttribute("content"),
    })),
  ).toEqual({ html: "dark", stored: "dark", bar: "#171412" });
});

test("covers neither the controls nor the focused field with a toast on a phone, and removes it 2.5 s after its dismissal", async ({
  visit,
}) => {
  const page = await visit({ viewport: { width: 390, height: 844 } });
  const toast = page.getByRole("region", { name: en.notifications }).locator("[role=group]");
  const isAbove = async (lower: Locator) => {
    const [above, below] = await Promise.all([toast.boundingBox(), lower.boundingBox()]);
    return above !== null && below !== null && above.y + above.height <= below.y;
  };
  await page.goto("/auth");
  await openSignIn(page, en);
  await getField(page, en.email).fill("nobody");
  await getButton(page, en.signIn).click();
  await expect(toast).toBeVisible();
  await expect(getField(page, en.email)).toBeFocused();
  expect(await isAbove(getField(page, en.email))).toBe(true);
  // Also where nothing moves.
  const removedAfterMs = await toast.evaluate(
    (toast) =>
      new Promise<number>((resolve) => {
        const dismissed = performance.now();
        new MutationObserver(() => {
          if (!toast.isConnected) resolve(performance.now() - dismissed);
        }).observe(document.body, { childList: true, subtree: true });
        toast.querySelector<HTMLButtonElement>("button[aria-label]")?.click();
      }),
  );
  expect(removedAfterMs).toBeGreaterThan(2_000);

  await enterAsGuest(page);
  await page.goto("/record");
  const controls = page.getByRole("region", { name: "Recording controls" });
  await expect(controls).toBeVisible();
  await expect(page.locator("#root")).not.toHaveAttribute("inert");
  await page.keyboard.press("Control+s");
  await expect(toast).toBeVisible();
  expect(await isAbove(controls)).toBe(true);
});

/** Animations and transitions of the page's elements: also one of visibility would go on showing what is hidden. */
const listMovements = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("*")]
      .map((element) => getComputedStyle(element))
      .filter(
        ({ animationName, transitionProperty }) =>
          animationName !== "none" || transitionProperty !== "none",
      )
      .map(({ animationName, transitionProperty }) => `${animationName} ${transitionProperty}`),
  );

test("keeps a first visit within the size budget and loads nothing from other origins", async ({
  visit,
  site,
}) => {
  const page = await visit();
  const hosts = new Set<string>();
  let scripts = new Set<string>();
  let whoIsThere = 0;
  page.on("request", (request) => {
    const { host, pathname, protocol } = new URL(request.url());
    if (protocol.startsWith("http")) hosts.add(host);
    if (pathname.endsWith(".js")) scripts.add(pathname);
    if (pathname === "/trpc/auth.session") whoIsThere += 1;
  });
  const visits = measureFirstVisits(buildDir);
  const see = async (path: string) => {
    const visited = visits.find((one) => one.path === path);
    if (!visited) throw new Error(`${path} was not measured`);
    scripts = new Set();
    whoIsThere = 0;
    await page.goto(path);
    await expect(page.getByRole("main")).toBeVisible();
    // The document requests it, and the program does not repeat that.
    expect(whoIsThere, path).toBe(1);
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await isAccessible(page, `${path}, light, on a desktop`);
    expect(await listMovements(page), `${path}, with reduced motion`).toEqual([]);
    const measured = visited.scripts.filter((script) => !/\/zh-|\/en-/.test(script));
    expect(
      measured.filter((script) => !scripts.has(script)),
      path,
    ).toEqual([]);
    const ahead = await page.evaluate(() => [
      ...[...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")].map(
        ({ href }) => new URL(href).pathname,
      ),
      ...[...document.scripts].map(({ src }) => src && new URL(src).pathname),
    ]);
    expect(
      measured.filter((script) => !ahead.includes(script)),
      `${path}: known to the document`,
    ).toEqual([]);
  };
  await see("/auth");
  await signUp(page);
  for (const path of ["/", "/record", "/profile"]) await see(path);
  expect([...hosts]).toEqual([new URL(site.url).host]);
  for (const { path, bytes, limit } of visits) expect(bytes, path).toBeLessThanOrEqual(limit);

  // A reload keeps the scroll position.
  await page.setViewportSize({ width: 390, height: 500 });
  await page.evaluate(async () => {
    const scrolled = new Promise((resolve) => addEventListener("scroll", resolve, { once: true }));
    scrollTo(0, 200);
    await scrolled;
  });
  // The page is too short for it until its data has come.
  const plan = await holdCalls(page, "subscriptions.check");
  await page.reload();
  await plan.waitForCall();
  await expect(page.getByRole("main")).toBeVisible();
  await plan.release();
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(100);
});
