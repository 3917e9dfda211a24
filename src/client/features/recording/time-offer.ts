import { Signal } from "#client/lib/signal.ts";

/** Why the page offers to go on with the browser's recognition; null: it does not. */
export const speechOffer = new Signal<"limit" | "busy" | null>(null);

/** What takes the place of Record when no recording time is left; null while there is some, or none is known. */
export const timeOffer = new Signal<"browser" | "plans" | "signIn" | null>(null);
