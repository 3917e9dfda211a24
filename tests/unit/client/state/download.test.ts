// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { showLanguage } from "#client/i18n/bundle.ts";
import { alerts } from "#client/lib/notifications.ts";
import { download } from "#client/state/download.ts";

/** Names of the files that the browser was told to download. */
const downloads: string[] = [];
const writeText = vi.fn(async () => {});

beforeAll(() => showLanguage("en"));
beforeEach(() => {
  downloads.length = 0;
  alerts.set([]);
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function press(
    this: HTMLAnchorElement,
  ) {
    downloads.push(this.download);
  });
  vi.spyOn(URL, "createObjectURL").mockReturnValue("blob:1");
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue({ writeText } as unknown as Clipboard);
});
afterEach(() => vi.restoreAllMocks());

const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15";
const android =
  "Mozilla/5.0 (Linux; Android 15; wv) AppleWebKit/537.36 Chrome/134.0 Mobile Safari/537.36";
const openWith = (browser: string) =>
  vi.spyOn(navigator, "userAgent", "get").mockReturnValue(browser);

const text = new Blob(["Light bends."], { type: "text/plain;charset=utf-8" });
const press = (label: string) =>
  alerts
    .get()
    .at(-1)
    ?.actions?.find((action) => action.label === label)
    ?.run();

it.each([
  ["Safari", `${iPhone} Version/18.5 Mobile/15E148 Safari/604.1`],
  ["Chrome", android],
  ["Firefox", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0"],
])("downloads at once in %s", async (_, browser) => {
  openWith(browser);
  const isSaved = download(text, "Light.txt");
  expect(downloads).toEqual(["Light.txt"]);
  expect(await isSaved).toBe(true);
  expect(alerts.get()).toEqual([]);
});

it.each([
  [
    "WeChat on an iPhone",
    `${iPhone} Mobile/15E148 MicroMessenger/8.0.60(0x18003c2a) Language/zh_CN`,
  ],
  ["WeChat on Android", `${android} MMWEBID/1 MicroMessenger/8.0.60.2860 Language/zh_CN`],
  ["QQ", `${iPhone} Mobile/15E148 QQ/9.1.70.619`],
  ["DingTalk", `${android} AliApp(DingTalk/7.6.60) com.alibaba.android.rimet`],
  ["Feishu", `${iPhone} Mobile/15E148 Lark/7.40.5 LarkLocale/zh_CN`],
  ["Instagram", `${iPhone} Mobile/15E148 Instagram 380.0.0.28.91`],
])("says in %s that no file can be saved, and offers the text", async (_, browser) => {
  openWith(browser);
  expect(await download(text, "Light.txt")).toBe(false);
  expect(downloads).toEqual([]);
  expect(alerts.get()).toMatchObject([{ title: "No file can be saved here" }]);
  press("Copy the text");
  expect(writeText).toHaveBeenLastCalledWith("Light bends.");
  press("Try to download it");
  expect(downloads).toEqual(["Light.txt"]);
});

it("offers the page's link in place of what is no text", async () => {
  openWith(`${android} MicroMessenger/8.0.60.2860`);
  const zip = new Blob(["PK"], { type: "application/zip" });
  expect(await download(zip, "Dualect.zip")).toBe(false);
  press("Copy the link");
  expect(writeText).toHaveBeenLastCalledWith(location.href);
});
