import data from "./lectures.json" with { type: "json" };

/** A lecture written for the measurement of terms. */
export interface TermLecture {
  field: string;
  /** In the order of its slides. */
  terms: readonly LectureTerm[];
  /** In the order in which they are said. */
  sentences: readonly TermSentence[];
}

export interface LectureTerm {
  /** In English. */
  term: string;
  /** The agreed one, into `zh-cn`. */
  translation: string;
  /** What a recogniser writes that does not know the term; it has as many words. */
  confusion: string;
}

export interface TermSentence {
  text: string;
  /** In the order of the text. */
  occurrences: readonly {
    /** As in `terms`. */
    term: string;
    /** As in `text`: inflected, or at the beginning of the sentence. It has as many words as the term. */
    form: string;
  }[];
}

export const termLectures: readonly TermLecture[] = data;
