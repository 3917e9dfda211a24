import type { HintSource } from "#client/recognition/speech-hints.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";

/** English terms of one folder, with the translations that are given. */
export const createTerms = (...terms: readonly (string | [string, string])[]): GlossaryTerm[] =>
  terms.map((one, position) => {
    const [term, translation] = typeof one === "string" ? [one] : one;
    return {
      id: `${position}`,
      folderId: "folder",
      language: "en",
      term,
      note: "",
      position,
      translations: translation === undefined ? {} : { "zh-cn": translation },
      origin: { kind: "person", name: "" },
      isLeftOut: false,
    };
  });

/** A lecture in English with `terms`, in which nothing was said. */
export const createHintSource = (terms: readonly GlossaryTerm[] = []): HintSource => ({
  getTerms: () => terms,
  getLanguages: () => ({ sourceLanguage: "en", targetLanguage: "zh-cn", isTwoWay: false }),
  getRows: () => [],
  getTopic: () => "",
});
