/**
 * What phones and tablets do with a page that records when they are locked, or when another app comes up. Browsers do
 * not document it. This is what people report, with the date of each report.
 */
const reports = {
  /** iOS 26.3: an installed app loses the microphone at once, a tab of Safari keeps it; Android: both lose it after seconds. */
  sable: { date: "2026-03-16", url: "https://github.com/SableClient/Sable/issues/291" },
  /** Installed apps lose it: iOS at once, Android after seconds. Tabs of Safari and Chrome keep it. */
  installed: {
    date: "2024-10-19",
    url: "https://github.com/DannyMoerkerke/whatpwacando.today/issues/63",
  },
  /** A process of Safari that captures sound is not to be suspended. */
  webkit: { date: "2026-07-02", url: "https://bugs.webkit.org/show_bug.cgi?id=317747" },
  /** An installed app on an iPhone stops when the screen is locked. */
  iosLocked: { date: "2026-04-14", url: "https://github.com/open-webui/open-webui/issues/23695" },
  /** Firefox on iOS stops at once; Chrome and Safari there go on. */
  iosFirefox: {
    date: "2023-04-26",
    url: "https://github.com/mozilla-mobile/firefox-ios/issues/14148",
  },
  /** Chromium has capture in the background behind a flag that is off by default. */
  chromium: { date: "2026-04-01", url: "https://github.com/brave/brave-browser/issues/54144" },
  /** Chrome stops some seconds after a phone of Xiaomi was locked. */
  xiaomi: { date: "2022-12-13", url: "https://github.com/steveseguin/vdo.ninja/issues/1002" },
  /** A native app loses the microphone on locked phones of Samsung only. */
  samsung: { date: "2024-07-08", url: "https://github.com/GetStream/webrtc-android/issues/164" },
  /** Firefox on Android unloads pages that play in the background; none tells of recording. */
  fenix: { date: "2022-06-20", url: "https://github.com/mozilla-mobile/fenix/issues/9691" },
};

/** `mayStop`: on some devices, or after some time. */
type Outcome = "goesOn" | "mayStop" | "stops";

export const knownPhones = {
  // No report says that a locked iPhone stops a tab, and none that it never does.
  iosSafari: { locked: "mayStop", otherApp: "goesOn", sources: ["webkit", "sable", "installed"] },
  iosInstalled: {
    ...{ locked: "stops", otherApp: "stops" },
    sources: ["iosLocked", "sable", "installed"],
  },
  iosOther: { locked: "mayStop", otherApp: "mayStop", sources: ["iosFirefox"] },
  androidChrome: {
    ...{ locked: "mayStop", otherApp: "mayStop" },
    sources: ["chromium", "sable", "installed", "xiaomi"],
  },
  androidInstalled: { locked: "stops", otherApp: "stops", sources: ["sable", "installed"] },
  // Its engine is Chromium's; nobody reports on the browser itself.
  samsung: { locked: "mayStop", otherApp: "mayStop", sources: ["chromium", "samsung"] },
  androidFirefox: { locked: "mayStop", otherApp: "mayStop", sources: ["fenix"] },
} as const satisfies Record<
  string,
  { locked: Outcome; otherApp: Outcome; sources: readonly (keyof typeof reports)[] }
>;
export type PhoneKind = keyof typeof knownPhones;

/** The day of the newest report on a phone, such as `2026-03-16`. */
export const getKnownSince = (kind: PhoneKind): string =>
  knownPhones[kind].sources
    .map((name) => reports[name].date)
    .toSorted()
    .at(-1) ?? "";

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
