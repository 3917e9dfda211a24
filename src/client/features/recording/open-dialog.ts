import { Signal } from "#client/lib/signal.ts";

/** The dialogs of the recording screen. `speakers`: with the one whose name is asked for first. */
export type DialogState =
  | { kind: "save" | "settings" | "shortcuts" | "retranslate" }
  | { kind: "speakers"; first: string | null };

export const currentDialog = new Signal<DialogState | null>(null);

export const openDialog = (kind: Exclude<DialogState["kind"], "speakers">): void =>
  currentDialog.set({ kind });
