import { Signal } from "#client/lib/signal.ts";

/** The dialogs of the recording screen. `speakers`: with the one whose name is asked for first. */
export type Asked =
  | { kind: "save" | "settings" | "shortcuts" | "retranslate" }
  | { kind: "speakers"; first: string | null };

export const asked = new Signal<Asked | null>(null);

export const ask = (kind: Exclude<Asked["kind"], "speakers">): void => asked.set({ kind });
