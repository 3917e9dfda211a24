// @vitest-environment happy-dom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import {
  chooseLanguage,
  joinDictionary,
  showLanguage,
  t,
} from "../../../../src/client/i18n/index.ts";

vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);

const words = {
  en: { hello: "Hello", rows: "{count, plural, one {# row} other {# rows}}" },
  zh: { hello: "你好", rows: "{count} 行" },
};

/** Sources that note what is fetched. */
function sources() {
  const fetched: string[] = [];
  const of = (language: "en" | "zh") => async () => {
    fetched.push(language);
    return { default: words[language] };
  };
  return { fetched, en: of("en"), zh: of("zh") };
}

/** Renders a component of the part; returns what it shows. */
async function shownBy(
  useWords: () => (key: "hello" | "rows", values?: { count: number }) => string,
) {
  const box = document.createElement("div");
  const Part = () => {
    const say = useWords();
    return `${say("hello")} ${say("rows", { count: 1 })}`;
  };
  await act(async () => createRoot(box).render(createElement(Part)));
  return () => box.textContent;
}

it("speaks the interface's language, and loads no other", async () => {
  await showLanguage("en");
  const part = sources();
  const text = await shownBy(await joinDictionary(part));
  expect(text()).toBe("Hello 1 row");
  expect(part.fetched).toEqual(["en"]);
  await act(() => showLanguage("zh"));
  expect(text()).toBe("你好 1 行");
  expect(t("record.stop")).toBe("停止");
  expect(part.fetched).toEqual(["en", "zh"]);
});

it("is in the language that was chosen while it was being loaded", async () => {
  await showLanguage("en");
  const part = sources();
  let arrive: (() => void) | undefined;
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const joined = joinDictionary({
    ...part,
    en: async () => {
      await late;
      return part.en();
    },
  });
  await showLanguage("zh");
  arrive?.();
  const text = await shownBy(await joined);
  expect(text()).toBe("你好 1 行");
});

it("that cannot be fetched fails whoever asked, and nobody else", async () => {
  await showLanguage("en");
  const offline = async () => {
    throw new TypeError("Failed to fetch");
  };
  await expect(joinDictionary({ en: offline, zh: offline })).rejects.toThrow("Failed to fetch");
  await showLanguage("zh");
  expect(t("record.stop")).toBe("停止");
});

it("is left in the language that was asked for last, whichever came first", async () => {
  await showLanguage("en");
  const part = sources();
  let arrive: (() => void) | undefined;
  const late = new Promise<void>((resolve) => {
    arrive = resolve;
  });
  const text = await shownBy(
    await joinDictionary({
      ...part,
      zh: async () => {
        await late;
        return part.zh();
      },
    }),
  );
  const chinese = chooseLanguage("zh");
  await act(() => chooseLanguage("en"));
  arrive?.();
  await act(() => chinese);
  expect(text()).toBe("Hello 1 row");
  expect(document.documentElement.lang).toBe("en");
  expect(localStorage.getItem("interfaceLanguage")).toBe("en");
});
