/** A question and its answer, of the item with this id in the request. */
export interface Flashcard {
  id: string;
  question: string;
  answer: string;
}
