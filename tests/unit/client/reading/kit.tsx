import { act, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import type { TranscriptRow } from "#client/realtime/session-types.ts";
import { TranscriptStore } from "#client/realtime/transcript/store.ts";
import { holdRecording } from "#tests/unit/client/state/kit/recording.ts";

/** Sentences `One.`, `Two.` … in turn by two speakers, translated. */
function rows(count: number): Omit<TranscriptRow, "position">[] {
  return Array.from({ length: count }, (_, index) => ({
    english: `Sentence ${index}.`,
    translated: `第${index}句。`,
    translatedInto: "zh-cn",
    translatedByHand: false,
    translation: "done",
    speaker: index % 4 < 2 ? "1" : "2",
    startMs: index * 4_000,
    endMs: index * 4_000 + 3_000,
    revision: 1,
  }));
}

/** A recording with `count` sentences, and the store that they are in. */
export function recordingWith(count: number) {
  const transcript = new TranscriptStore();
  transcript.append(rows(count));
  const session = { ...holdRecording(), transcript };
  return { session, transcript };
}

/** Renders `node` inside `#root`; returns the way to take it away. */
export async function show(node: ReactNode): Promise<() => Promise<void>> {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const box = document.body.appendChild(document.createElement("div"));
  box.id = "root";
  const root = createRoot(box);
  await act(async () => root.render(node));
  return async () => {
    await act(async () => root.unmount());
    document.body.replaceChildren();
  };
}

/** A key pressed where the focus is. */
export const press = (key: string, more: KeyboardEventInit = {}) =>
  act(async () => {
    document.activeElement?.dispatchEvent(
      new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }),
    );
  });

/** Types `text` into `field` in place of what is there. */
export const type = (field: Element | null, text: string) =>
  act(async () => {
    if (!(field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement))
      throw new Error("There is no field to type into");
    // React listens for changes that did not come from itself.
    const prototype = Object.getPrototypeOf(field);
    Object.getOwnPropertyDescriptor(prototype, "value")?.set?.call(field, text);
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });

export const nextFrame = () =>
  act(async () => {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  });
