import { Signal } from "#client/lib/signal.ts";

export const announced = new Signal("");

export const announce = (text: string): void => announced.set(text);
