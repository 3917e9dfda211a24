import { inAppMessages } from "#client/i18n/in-app/index.ts";
import { alertUser, copyText } from "#client/lib/notifications.ts";

/** Time for the browser to start the download before its URL is revoked. */
const urlLifetimeMs = 60_000;

/**
 * Browsers inside apps, which open the links of a class: WeChat and WeCom, QQ, DingTalk, Feishu, Weibo, Alipay, LINE,
 * Facebook, Instagram. They do nothing with a file that a page has made, and tell nobody.
 */
const inAppBrowsers =
  /MicroMessenger|wxwork|\bQQ\/|DingTalk|Lark|Feishu|Weibo|AlipayClient|\bLine\/|FBA[NV]\b|Instagram/i;

/** Files of which a person can use the text by itself. */
const textTypes = /^(?:text\/|application\/x-subrip)/;

/**
 * Gives the person `file`. Every file that a page has made is given by this function. False: this browser saves none,
 * and the person is told what to do.
 *
 * @throws when the words for that cannot be loaded
 */
export async function download(file: Blob, name: string): Promise<boolean> {
  if (!inAppBrowsers.test(navigator.userAgent)) {
    startDownload(file, name);
    return true;
  }
  const { t } = inAppMessages;
  await inAppMessages.load();
  const isText = textTypes.test(file.type);
  // Before the click, in which alone the browser lets a page copy.
  const copied = isText ? await file.text() : location.href;
  const copy = () =>
    copyText(copied, t(isText ? "inApp.textCopied" : "inApp.linkCopied"), [t("inApp.notCopied")]);
  alertUser({
    title: t("inApp.title"),
    text: t(isText ? "inApp.text" : "inApp.file"),
    actions: [
      { label: t("inApp.try"), run: () => startDownload(file, name) },
      { label: t(isText ? "inApp.copyText" : "inApp.copyLink"), run: () => void copy() },
    ],
  });
  return false;
}

function startDownload(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), urlLifetimeMs);
}
