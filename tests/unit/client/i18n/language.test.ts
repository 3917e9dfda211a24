// @vitest-environment happy-dom
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import {
  dialogMessages,
  type MessageKey,
  t,
} from "#client/features/recording/dialog-messages/index.ts";
import { chooseLanguage, getStoredLanguage, showLanguage } from "#client/i18n/bundle.ts";

beforeAll(dialogMessages.load);

afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
});

describe("the interface's language", () => {
  it.each([
    [null, "zh"],
    ["en", "en"],
    ["zh", "zh"],
    ["fr", "zh"],
    ["", "zh"],
  ])("is read from storage: %o means %s", (value, expected) => {
    if (value !== null) localStorage.setItem("interfaceLanguage", value);
    expect(getStoredLanguage()).toBe(expected);
  });

  it("is stored, shown and written into <html lang>", async () => {
    await chooseLanguage("en");
    expect(t("record.stop")).toBe("Stop");
    expect(document.documentElement.lang).toBe("en");
    expect(localStorage.getItem("interfaceLanguage")).toBe("en");
    await chooseLanguage("zh");
    expect(t("record.stop")).toBe("停止");
    expect(document.documentElement.lang).toBe("zh-Hans");
    expect(localStorage.getItem("interfaceLanguage")).toBe("zh");
  });

  it("inserts values and plurals, and keeps apostrophes", async () => {
    await showLanguage("en");
    expect(t("notice.monthlyLimitReachedText", { hours: 20 })).toBe(
      "You've used all 20 hours for this month. Upgrade your plan to continue recording.",
    );
    expect(t("notice.lectureSavedText", { words: 1 })).toBe("1 word");
    expect(t("notice.lectureSavedText", { words: 40 })).toBe("40 words");
  });

  it("logs a missing key and shows the key", async () => {
    await showLanguage("en");
    const log = vi.spyOn(console, "error").mockImplementation(() => {});
    const unknown: string = "no.such.key";
    expect(t(unknown as MessageKey)).toBe("no.such.key");
    expect(log).toHaveBeenCalledOnce();
  });
});
