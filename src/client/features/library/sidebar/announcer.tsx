import { Signal } from "#client/lib/signal.ts";

export const announcement = new Signal("");

export const announce = (text: string): void => announcement.set(text);
