import { z } from "zod";
import { type SpokenLanguage, spokenLanguages } from "#shared/languages.ts";
import { listComparable, toComparable } from "#shared/word-units.ts";
import { getSpokenLanguage } from "./pattern.ts";

/** What the stand-ins of speech services hear in place of numbers, and what they mishear. Nothing by default. */
export const hearingControl = {
  /** A text whose word n is heard in place of the test pattern's number n; null ends that. */
  script: z.string().nullable().optional(),
  /**
   * `written` stands in place of `heard`, unless the stream was told `term`. `heard` and `written` have as many words;
   * neither has punctuation at its end.
   */
  confusions: z
    .array(z.strictObject({ heard: z.string(), written: z.string(), term: z.string() }))
    .optional(),
  /** What the third speaker speaks, whatever the stream was told; null: as the others. */
  thirdLanguage: z.enum(spokenLanguages).nullable().optional(),
};

export interface HearingSettings {
  script: string | null;
  confusions: readonly { heard: string; written: string; term: string }[];
  thirdLanguage?: SpokenLanguage | null | undefined;
}

export const defaultHearing: HearingSettings = {
  script: null,
  confusions: [],
};

const getKey = (text: string) => listComparable(text).join(" ");

/** Writes what one stream hears, by the terms that it was told. */
export class Hearing {
  #terms: ReadonlySet<string> = new Set();

  /** `settings`: read at each word. */
  constructor(private readonly settings: HearingSettings = defaultHearing) {}

  tell(terms: readonly string[]): void {
    this.#terms = new Set(terms.map(getKey));
  }

  /** What speaker 0, 1 … speaks in a stream with these hints. */
  getLanguage(speaker: number, hints: readonly SpokenLanguage[]): SpokenLanguage {
    const { thirdLanguage = null } = this.settings;
    return speaker === 2 && thirdLanguage !== null
      ? thirdLanguage
      : getSpokenLanguage(speaker, hints);
  }

  /** Word number `n` of the script, from 1; null: there is none. */
  readScript(n: number): string | null {
    const words = this.settings.script?.split(/\s+/u) ?? [];
    return n > words.length ? null : this.write(words, n - 1);
  }

  /** The word at `index` of `words`, as it is written. */
  write(words: readonly string[], index: number): string {
    const word = words[index] ?? "";
    for (const { heard, written, term } of this.settings.confusions) {
      const parts = listComparable(heard);
      const isSaid = (from: number) =>
        parts.every((part, at) => toComparable(words[from + at] ?? "") === part);
      const at = parts.findIndex((_, offset) => isSaid(index - offset));
      if (at === -1 || this.#terms.has(getKey(term))) continue;
      const [mark = ""] = /\P{L}*$/u.exec(word) ?? [];
      return (written.split(" ")[at] ?? "") + mark;
    }
    return word;
  }
}
