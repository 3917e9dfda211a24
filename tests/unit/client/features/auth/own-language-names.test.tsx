// @vitest-environment happy-dom
import { expect, it } from "vitest";
import {
  languageCount,
  OwnLanguageNames,
  ownNames,
} from "#client/features/auth/own-language-names.tsx";
import {
  getDirection,
  getTranslationTag,
  spokenLanguages,
  translationLanguages,
} from "#shared/languages.ts";
import { show } from "#tests/unit/client/kit/page.tsx";

it("names every language once, in its own direction", async () => {
  const tags = ownNames.map(([tag]) => tag);
  expect(tags.toSorted()).toEqual(translationLanguages.map(getTranslationTag).toSorted());
  expect(languageCount).toBe(spokenLanguages.length);
  await show(<OwnLanguageNames />);
  for (const item of document.querySelectorAll("li"))
    expect([item.lang, item.dir]).toEqual([item.lang, getDirection(item.lang)]);
});
