// @vitest-environment happy-dom
import { act, StrictMode, useState } from "react";
import { createRoot } from "react-dom/client";
import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { acceptForeignNodes } from "#client/lib/foreign-nodes.ts";

/** How programs take the place of a text. */
const kinds: Record<string, (text: Text) => void> = {
  "wraps it": (text) => {
    const font = document.createElement("font");
    text.replaceWith(font);
    font.append(text);
  },
  "replaces it": (text) => text.replaceWith(createTranslated(text)),
  "inserts before it and removes it": (text) => {
    text.before(createTranslated(text));
    text.remove();
  },
  "inserts behind it and removes it": (text) => {
    text.after(createTranslated(text));
    text.remove();
  },
};

function createTranslated(text: Text): Element {
  const font = document.createElement("font");
  font.innerHTML = `<font>«${text.data}»</font>`;
  return font;
}

function listTexts(root: Node): Text[] {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  return texts;
}

const nextTask = () => new Promise((resolve) => setTimeout(resolve));

let press: () => void;

function Recorder() {
  const [isRecording, setRecording] = useState(false);
  press = () => setRecording(!isRecording);
  return (
    <main>
      <button type="button">
        <svg />
        {isRecording ? "Stop" : "Record"}
      </button>
      <p>
        {isRecording ? "live: " : null}
        {isRecording ? 7 : 0} words
        {isRecording ? null : <b>ready</b>}
      </p>
      {isRecording ? "bare text" : null}
      <ul>
        {(isRecording ? ["b", "a"] : ["a", "b", "c"]).map((key) => (
          <li key={key}>row {key}</li>
        ))}
      </ul>
    </main>
  );
}

let container: HTMLElement;

beforeAll(() => {
  // In browsers it is a property of Node.
  const { nodeValue } = Object.getOwnPropertyDescriptors(CharacterData.prototype);
  Object.defineProperty(Node.prototype, "nodeValue", nodeValue);
  Reflect.deleteProperty(CharacterData.prototype, "nodeValue");
  acceptForeignNodes();
});

beforeEach(() => {
  vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
  container = document.createElement("div");
  document.body.replaceChildren(container);
});

it.each(Object.entries(kinds))("lives with a program that %s", async (_, take) => {
  const root = createRoot(container);
  await act(async () =>
    root.render(
      <StrictMode>
        <Recorder />
      </StrictMode>,
    ),
  );
  for (const expected of [
    "Stoplive: 7 wordsbare textrow brow a",
    "Record0 wordsreadyrow arow brow c",
  ]) {
    for (const text of listTexts(container)) take(text);
    await nextTask();
    await act(async () => press());
    expect(container.textContent?.replaceAll(/[«»]/g, "")).toBe(expected);
  }
  for (const text of listTexts(container)) take(text);
  await nextTask();
  await act(async () => root.unmount());
  expect(container.textContent).toBe("");
});
