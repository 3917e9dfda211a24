import { Signal } from "#client/lib/observable.ts";

/** From which row the translation of the shown lecture is heard; null: the page chooses one. */
export interface HearRequest {
  fromId: string | null;
}

/** That the translation is heard; null: it is not. A new object is a new wish. */
export const hearRequest = new Signal<HearRequest | null>(null);

/** Rows of the shown lecture that were not spoken, by their ids. */
export const notSpokenRows = new Signal<ReadonlySet<string>>(new Set());

/** Called for a click or a key: browsers let nothing else begin to speak. */
export function hear(fromId: string | null = null): void {
  allowVoices();
  hearRequest.set({ fromId });
}

export const stopHearing = (): void => hearRequest.set(null);

/**
 * WebKit lets a page speak only from a click on; the code that speaks comes later. So something without a sound is spoken
 * now. Not in other engines: Chromium under Linux never ends it.
 */
export function allowVoices(): void {
  if (navigator.vendor !== "Apple Computer, Inc.") return;
  if (!("speechSynthesis" in window) || window.speechSynthesis.speaking) return;
  const silence = new SpeechSynthesisUtterance(" ");
  silence.volume = 0;
  window.speechSynthesis.speak(silence);
}
