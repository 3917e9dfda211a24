import { expect, test } from "vitest";
import type { SessionApi } from "#client/lecture/server-api.ts";
import { Signal } from "#client/lib/observable.ts";
import { withTerms } from "#client/translation/term-translation.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";

const createTerm = (term: string, translation: string): GlossaryTerm => ({
  id: term,
  folderId: null,
  language: "en",
  term,
  translations: { "zh-cn": translation },
  note: "",
  origin: { kind: "person", name: "" },
  position: 0,
  isLeftOut: false,
});

const input = {
  text: "Vectors are equal.",
  sourceLanguage: "en" as const,
  targetLanguage: "zh-cn" as const,
  context: "",
  wordContext: "",
};
const { signal } = new AbortController();

function createTranslate() {
  const inputs: Parameters<SessionApi["translate"]>[0][] = [];
  const translate: SessionApi["translate"] = async (given) => {
    inputs.push(given);
    return "译文";
  };
  return { inputs, translate };
}

test("gives only the terms of the sentence, as the glossary is now", async () => {
  const { inputs, translate } = createTranslate();
  const terms = new Signal<readonly GlossaryTerm[]>([
    createTerm("vector", "向量"),
    createTerm("matrix", "矩阵"),
  ]);
  const call = withTerms(translate, terms);
  expect(await call(input, signal)).toBe("译文");
  expect(inputs.at(-1)).toEqual({ ...input, terms: [{ source: "vector", target: "向量" }] });

  terms.set([createTerm("vector", "矢量")]);
  await call(input, signal);
  expect(inputs.at(-1)?.terms).toEqual([{ source: "vector", target: "矢量" }]);
});

test("works both ways in a lecture in two languages", async () => {
  const { inputs, translate } = createTranslate();
  const terms = new Signal([createTerm("vector", "向量")]);
  const back = { text: "向量相等。", sourceLanguage: "zh" as const, targetLanguage: "en" as const };
  await withTerms(translate, terms)({ ...input, ...back }, signal);
  expect(inputs[0]?.terms).toEqual([{ source: "向量", target: "vector" }]);
});

test("leaves a sentence without terms as it is, and one in another language", async () => {
  const { inputs, translate } = createTranslate();
  const terms = new Signal<readonly GlossaryTerm[]>([]);
  const call = withTerms(translate, terms);
  await call(input, signal);
  terms.set([createTerm("vector", "向量")]);
  await call({ ...input, text: "Victory." }, signal);
  await call({ ...input, targetLanguage: "fr" }, signal);
  for (const given of inputs) expect(given).not.toHaveProperty("terms");
});
