import type { Clock } from "#client/lib/clock.ts";
import { isShallowEqual } from "#client/lib/observable.ts";
import type { TakeLanguages } from "#client/sound/takes/take-languages.ts";
import { chooseTerms, isSameChoice, type SaidSentence } from "#shared/choose-terms.ts";
import type { GlossaryTerm } from "#shared/glossary.ts";
import { getTranslationLanguage, type LanguagePair } from "#shared/languages.ts";
import type { SpeechTerm } from "#shared/relay.ts";

/** What a lecture knows about the words that may be said in it. */
export interface HintSource {
  /** Nearest folder first. */
  getTerms(): readonly GlossaryTerm[];
  getLanguages(): LanguagePair;
  /** Of the transcript, in order. */
  getRows(): readonly SaidSentence[];
  /** The lecture's title, if a person wrote it; or empty. */
  getTopic(): string;
}

/** The terms that a recogniser knows change at most this often. */
const chosenForMs = 60_000;

/** Chooses the terms that a recogniser is told; keeps its choice for a while. */
export class SpeechHints {
  #chosen: readonly SpeechTerm[] = [];
  #chosenAt = Number.NEGATIVE_INFINITY;
  /** What the choice was made from. */
  #terms: readonly GlossaryTerm[] = [];
  #languages: TakeLanguages = { language: "detect", secondLanguage: null };

  constructor(
    private readonly clock: Clock,
    private readonly source: HintSource,
  ) {}

  get topic(): string {
    return this.source.getTopic();
  }

  /** Of speech in `languages`: the same list for a minute, unless it is empty and there are other terms. */
  getTerms(languages: TakeLanguages): readonly SpeechTerm[] {
    const now = this.clock.now();
    const terms = this.source.getTerms();
    const isKept =
      now - this.#chosenAt < chosenForMs &&
      isShallowEqual(languages, this.#languages) &&
      (this.#chosen.length > 0 || terms === this.#terms);
    if (isKept) return this.#chosen;
    this.#chosenAt = now;
    this.#terms = terms;
    this.#languages = languages;
    const chosen = this.#choose(languages, terms);
    if (!isSameChoice(chosen, this.#chosen)) this.#chosen = chosen;
    return this.#chosen;
  }

  #choose({ language, secondLanguage }: TakeLanguages, terms: readonly GlossaryTerm[]) {
    const first = language === "detect" ? [] : [language];
    const pair = this.source.getLanguages();
    return chooseTerms({
      terms,
      languages: secondLanguage === null ? first : [...first, secondLanguage],
      getTarget: (spokenIn) => getTranslationLanguage(pair, spokenIn),
      said: this.source.getRows(),
      previous: this.#chosen,
    });
  }
}
