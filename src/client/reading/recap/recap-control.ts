import { Signal } from "#client/lib/signal.ts";

/** Of the recap of the shown lecture, for its button among the page's tools; null while none is offered. */
export const recapControl = new Signal<{ isOpen: boolean; toggle: () => void } | null>(null);
