interface Item {
  id: string;
  sentence: string;
  note: string;
  /** `term → translation` */
  term?: string;
}

/** Words of a sentence that its question shows. */
const shownWords = 6;

/**
 * A card for each item, as JSON on a line each: what the note or the term is about, or how the sentence goes on, and the
 * sentence. `mark` says on both sides that nothing here has understood it.
 */
export function createFlashcards(text: string, mark: string): string {
  const items: Item[] = JSON.parse(text);
  return items
    .map(({ id, sentence, note, term }) =>
      JSON.stringify({
        id,
        quote: sentence,
        question: `${mark} ${term ?? (note || `${shorten(sentence)} …`)}`,
        answer: `${mark} ${sentence}`,
      }),
    )
    .join("\n");
}

const shorten = (sentence: string): string =>
  sentence.includes(" ")
    ? sentence.split(" ").slice(0, shownWords).join(" ")
    : sentence.slice(0, 2 * shownWords);
