import { Signal } from "#client/lib/signal.ts";

/** The dialogs of the recording screen. */
export type DialogKind = "save" | "keep" | "settings" | "shortcuts";

export const currentDialog = new Signal<DialogKind | null>(null);

export const openDialog = (kind: DialogKind): void => currentDialog.set(kind);
