import { Signal } from "#client/lib/signal.ts";

/** The open dialog of the recording screen. `first`: the speaker whose name field takes the focus. */
export type DialogState =
  | { kind: "save" | "settings" | "shortcuts" | "retranslate" }
  | { kind: "speakers"; first: string | null };

export const currentDialog = new Signal<DialogState | null>(null);

export const openDialog = (kind: Exclude<DialogState["kind"], "speakers">): void =>
  currentDialog.set({ kind });
