/**
 * What phones and tablets do with a page that records when they are locked, or when another app comes up. Browsers do
 * not document it. This is what people report:
 *
 * - 2026-07-02, a process of Safari that captures sound is not to be suspended:
 *   https://bugs.webkit.org/show_bug.cgi?id=317747
 * - 2026-04-14, an installed app on an iPhone stops when the screen is locked:
 *   https://github.com/open-webui/open-webui/issues/23695
 * - 2026-04-01, Chromium has capture in the background behind a flag that is off by default:
 *   https://github.com/brave/brave-browser/issues/54144
 * - 2026-03-16, on iOS 26.3 an installed app loses the microphone at once, a tab of Safari keeps it; on Android both lose
 *   it after seconds: https://github.com/SableClient/Sable/issues/291
 * - 2024-10-19, installed apps lose it, on iOS at once, on Android after seconds; tabs of Safari and Chrome keep it:
 *   https://github.com/DannyMoerkerke/whatpwacando.today/issues/63
 * - 2024-07-08, a native app loses the microphone on locked phones of Samsung only:
 *   https://github.com/GetStream/webrtc-android/issues/164
 * - 2023-04-26, Firefox on iOS stops at once; Chrome and Safari there go on:
 *   https://github.com/mozilla-mobile/firefox-ios/issues/14148
 * - 2022-12-13, Chrome stops some seconds after a phone of Xiaomi was locked:
 *   https://github.com/steveseguin/vdo.ninja/issues/1002
 * - 2022-06-20, Firefox on Android unloads pages that play in the background; none tells of recording:
 *   https://github.com/mozilla-mobile/fenix/issues/9691
 */
export const knownPhones = {
  // No report says that a locked iPhone stops a tab, and none that it never does.
  iosSafari: { locked: "mayStop", otherApp: "goesOn", since: "2026-07-02" },
  iosInstalled: { locked: "stops", otherApp: "stops", since: "2026-04-14" },
  iosOther: { locked: "mayStop", otherApp: "mayStop", since: "2023-04-26" },
  androidChrome: { locked: "mayStop", otherApp: "mayStop", since: "2026-04-01" },
  androidInstalled: { locked: "stops", otherApp: "stops", since: "2026-03-16" },
  // Its engine is Chromium's; nobody reports on the browser itself.
  samsung: { locked: "mayStop", otherApp: "mayStop", since: "2026-04-01" },
  androidFirefox: { locked: "mayStop", otherApp: "mayStop", since: "2022-06-20" },
} as const satisfies Record<string, KnownPhone>;
export type PhoneKind = keyof typeof knownPhones;

/** `mayStop`: on some devices, or after some time. */
type Outcome = "goesOn" | "mayStop" | "stops";

interface KnownPhone {
  locked: Outcome;
  otherApp: Outcome;
  /** The day of the newest report on it. */
  since: string;
}

interface Device {
  userAgent: string;
  /** Fingers that its screen tells apart. */
  maxTouchPoints: number;
  /** The page was opened as an installed app. */
  isInstalled: boolean;
}

/** Null for a computer. */
export function findPhone({ userAgent, maxTouchPoints, isInstalled }: Device): PhoneKind | null {
  // An iPad says that it is a Mac, which has no touch screen.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) {
    if (isInstalled) return "iosInstalled";
    return /CriOS|FxiOS|EdgiOS|OPT\//.test(userAgent) ? "iosOther" : "iosSafari";
  }
  if (!/Android/.test(userAgent)) return null;
  if (isInstalled) return "androidInstalled";
  if (/SamsungBrowser/.test(userAgent)) return "samsung";
  return /Firefox/.test(userAgent) ? "androidFirefox" : "androidChrome";
}
