import { Signal } from "#client/lib/signal.ts";

/** `pdf` can be read, `word` can be edited. */
export type NoteFormat = "pdf" | "word";

export interface Settings {
  role: string;
  noteFormat: NoteFormat;
  courseReminder: boolean;
  noteGeneration: boolean;
}

/** The sample settings, until the page is reloaded. */
export const settings = new Signal<Settings>({
  role: "",
  noteFormat: "pdf",
  courseReminder: true,
  noteGeneration: false,
});

export const changeSettings = (change: Partial<Settings>): void =>
  settings.set({ ...settings.get(), ...change });
