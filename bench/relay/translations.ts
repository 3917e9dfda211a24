import { echoSentenceWords } from "#local/soniox/echo.ts";
import type { RelayTranslation } from "#shared/relay.ts";

/** What the echo's words are translated into, and one of them. */
export const echoTarget = "fr";
const translatedWord = /fr:word(\d+)/giu;

/** The translations that one connection has got, the latest of each sentence. */
export class EchoTranslations {
  /** By the start of the sentence, ms. */
  readonly #latest = new Map<number, RelayTranslation>();

  receive({ translations = [] }: { translations?: readonly RelayTranslation[] }): void {
    for (const one of translations) this.#latest.set(one.start_ms, one);
  }

  /** Sentences that have the translation of each of their words, once, and no other. */
  countSentences(): number {
    return this.#listSentences().length;
  }

  /** What is wrong after `words` words; null: nothing. */
  findFault(words: number): string | null {
    const expected = Math.ceil(words / echoSentenceWords);
    const found = new Set(this.#listSentences());
    const missing = Array.from({ length: expected }, (_, sentence) => sentence).filter(
      (sentence) => !found.has(toWords(sentence, words)),
    );
    if (missing.length > 0)
      return `${missing.length} of ${expected} sentences have no translation, or another's`;
    return this.#latest.size === expected ? null : "there are translations of no sentence";
  }

  /** The numbers of the words of final translations. */
  #listSentences(): string[] {
    return [...this.#latest.values()]
      .filter(({ state, language }) => state === "final" && language === echoTarget)
      .map(({ text }) => [...text.matchAll(translatedWord)].map(([, word]) => word).join(" "))
      .filter((text) => text !== "");
  }
}

/** The numbers of the words of sentence `index`, of `words` words in all. */
function toWords(index: number, words: number): string {
  const from = index * echoSentenceWords;
  const length = Math.min(echoSentenceWords, words - from);
  return Array.from({ length }, (_, at) => from + at).join(" ");
}
