import { Signal } from "#client/lib/observable.ts";

/** Files that were dropped on the page of a lecture, for its dialog of slides; null once that has them. */
export const droppedSlides = new Signal<readonly File[] | null>(null);
