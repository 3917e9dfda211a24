import { signal } from "../../../lib/signal.ts";

/** What a screen reader is told of what happens in the tree. */
export const announced = signal("");

export const announce = (text: string): void => announced.set(text);
