// @vitest-environment happy-dom
import { act, createElement } from "react";
import { afterEach, expect, it, vi } from "vitest";
import {
  chooseLanguage,
  createMessages,
  getStoredLanguage,
  type MessageBundle,
  showLanguage,
} from "#client/i18n/bundle.ts";
import { commonMessages } from "#client/i18n/index.ts";
import { show } from "#tests/unit/client/kit/page.tsx";

afterEach(() => {
  localStorage.clear();
  vi.restoreAllMocks();
});

type Key = "sample.hello" | "sample.rows";

const texts: Record<"en" | "zh", Record<Key, string>> = {
  en: {
    "sample.hello": "Hello",
    "sample.rows": "{count, plural, one {# row} other {# rows}}",
  },
  zh: { "sample.hello": "你好", "sample.rows": "{count} 行" },
};

/** Sources that record what is fetched. */
function sources() {
  const fetched: string[] = [];
  const source = (language: "en" | "zh") => async () => {
    fetched.push(language);
    return { default: texts[language] };
  };
  return { fetched, en: source("en"), zh: source("zh") };
}

/** Renders a component with the messages of a bundle; returns what it shows. */
async function render({ useT }: MessageBundle<Key>) {
  const Sample = () => {
    const t = useT();
    return `${t("sample.hello")} ${t("sample.rows", { count: 1 })}`;
  };
  await show(createElement(Sample));
  return () => document.body.textContent;
}

it("is shown in the interface's language, and loads no other", async () => {
  await showLanguage("en");
  const { fetched, en, zh } = sources();
  const bundle = createMessages({ en, zh }, commonMessages);
  await bundle.load();
  const shown = await render(bundle);
  expect(shown()).toBe("Hello 1 row");
  expect(bundle.t("common.cancel")).toBe("Cancel");
  expect(fetched).toEqual(["en"]);
  await act(() => showLanguage("zh"));
  expect(shown()).toBe("你好 1 行");
  expect(bundle.t("common.cancel")).toBe("取消");
  expect(fetched).toEqual(["en", "zh"]);
});

it("uses the language that was chosen while it was loading", async () => {
  await showLanguage("en");
  const { en, zh } = sources();
  const late = Promise.withResolvers<void>();
  const bundle = createMessages<Key>({ en: () => late.promise.then(() => en()), zh });
  const loading = bundle.load();
  await showLanguage("zh");
  late.resolve();
  await loading;
  const shown = await render(bundle);
  expect(shown()).toBe("你好 1 行");
});

it("changes with the others when it was loaded during a language change", async () => {
  await showLanguage("en");
  const late = Promise.withResolvers<void>();
  const slow = sources();
  const first = createMessages<Key>({ en: slow.en, zh: () => late.promise.then(() => slow.zh()) });
  await first.load();
  const choosing = showLanguage("zh");
  const { fetched, en, zh } = sources();
  await createMessages({ en, zh }).load();
  expect(fetched).toEqual(["en"]);
  late.resolve();
  await choosing;
  expect(fetched).toEqual(["en", "zh"]);
});

it("that cannot be fetched rejects only its own load", async () => {
  await showLanguage("en");
  await commonMessages.load();
  const offline = async () => {
    throw new TypeError("Failed to fetch");
  };
  const bundle = createMessages<"sample.none">({ en: offline, zh: offline });
  await expect(bundle.load()).rejects.toThrow("Failed to fetch");
  await showLanguage("zh");
  expect(commonMessages.t("common.cancel")).toBe("取消");
});

it("leaves the language as it was when the other one cannot be fetched", async () => {
  await showLanguage("en");
  let online = false;
  const { en, zh } = sources();
  const bundle = createMessages({
    en,
    zh: async () => {
      if (!online) throw new TypeError("Failed to fetch");
      return zh();
    },
  });
  await bundle.load();
  const shown = await render(bundle);
  await expect(chooseLanguage("zh")).rejects.toThrow("Failed to fetch");
  expect(shown()).toBe("Hello 1 row");
  expect(document.documentElement.lang).toBe("en");
  expect(localStorage.getItem("interfaceLanguage")).not.toBe("zh");
  online = true;
  await act(() => chooseLanguage("zh"));
  expect(shown()).toBe("你好 1 行");
  expect(document.documentElement.lang).toBe("zh-Hans");
  expect(localStorage.getItem("interfaceLanguage")).toBe("zh");
});

it("ends in the language chosen last, whichever loads first", async () => {
  await showLanguage("en");
  const { en, zh } = sources();
  const late = Promise.withResolvers<void>();
  const bundle = createMessages<Key>({ en, zh: () => late.promise.then(() => zh()) });
  await bundle.load();
  const shown = await render(bundle);
  const chinese = chooseLanguage("zh");
  await act(() => chooseLanguage("en"));
  late.resolve();
  await act(() => chinese);
  expect(shown()).toBe("Hello 1 row");
  expect(document.documentElement.lang).toBe("en");
  expect(localStorage.getItem("interfaceLanguage")).toBe("en");
});

it.each([
  [null, "zh"],
  ["en", "en"],
  ["zh", "zh"],
  ["fr", "zh"],
  ["", "zh"],
])("is in the language that is stored: %o means %s", (value, expected) => {
  if (value !== null) localStorage.setItem("interfaceLanguage", value);
  expect(getStoredLanguage()).toBe(expected);
});

it("logs a missing key and shows the key", () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => {});
  const { t } = createMessages<string>(sources());
  expect(t("no.such.key")).toBe("no.such.key");
  expect(log).toHaveBeenCalledOnce();
});

it("takes values and plurals as the build compiles them, and keeps apostrophes", async () => {
  await showLanguage("en");
  await commonMessages.load();
  const { t } = commonMessages;
  expect(t("validation.typeDelete")).toBe("You must type 'delete' to confirm");
  expect([1, 40].map((minutes) => t("common.tryAgainIn", { minutes }))).toEqual([
    "Too many attempts. Please try again in 1 minute.",
    "Too many attempts. Please try again in 40 minutes.",
  ]);
});
