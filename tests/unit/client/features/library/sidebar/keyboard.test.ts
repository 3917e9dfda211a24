import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  findNextActiveKey,
  type KeyCommand,
  type KeyPress,
  noTyping,
  resolveKeyPress,
  typingPauseMs,
} from "#client/features/library/sidebar/keyboard.ts";
import {
  buildTreeRows,
  isFocusable,
  type LoadedLectures,
  type Row,
  uncategorizedId,
} from "#client/features/library/sidebar/tree-rows.ts";
import { buildTree } from "#client/state/library/folder-tree.ts";
import { arbitraryForest, folder, lecture, list } from "#tests/unit/client/kit/folders.ts";

const tree = buildTree(
  list(
    [
      folder("a", null, { name: "Art" }),
      folder("b", null, { name: "Physics", lectures: 1 }),
      folder("c", "b", { name: "Optics" }),
      folder("d", null, { name: "Phonetics" }),
    ],
    1,
  ),
);

const buildRows = (...open: string[]): Row[] =>
  buildTreeRows({
    tree,
    expanded: new Set(open),
    draft: null,
    search: null,
    language: "en",
    getLoaded: (id): LoadedLectures => ({
      items: id === "b" ? [lecture("1", "b", { title: "Photons" })] : [],
      remaining: "none",
    }),
  });

const rows = buildRows("b", uncategorizedId);
// Art, Phonetics, Physics, .Optics, .Photons, loose
const getRowKey = (name: string) =>
  ({ Art: "folder a", Phonetics: "folder d", Physics: "folder b", Optics: "folder c" })[name] ??
  (name === "Photons" ? "lecture 1" : "uncategorized");

/** The press of a key such as "Ctrl+x"; `code`: its place on the keyboard. */
const createPress = (text: string, code = ""): KeyPress => ({
  key: text.replace(/^(Ctrl|Shift)\+/, ""),
  code,
  ctrlKey: text.startsWith("Ctrl+"),
  metaKey: false,
  shiftKey: text.startsWith("Shift+"),
  altKey: false,
});

const focus = (name: string): KeyCommand => ({ type: "focus", key: getRowKey(name) });

describe("resolveKeyPress", () => {
  test.each<[string, string, KeyCommand | null]>([
    ["Art", "ArrowDown", focus("Phonetics")],
    ["Photons", "ArrowDown", focus("uncategorized")],
    ["uncategorized", "ArrowDown", null],
    ["Phonetics", "ArrowUp", focus("Art")],
    ["Art", "ArrowUp", null],
    ["Optics", "Home", focus("Art")],
    ["Art", "End", focus("uncategorized")],
    ["Art", "ArrowRight", { type: "open", ids: ["a"] }],
    ["Physics", "ArrowRight", focus("Optics")],
    ["Photons", "ArrowRight", null],
    ["Physics", "ArrowLeft", { type: "close", ids: ["b"] }],
    ["Photons", "ArrowLeft", focus("Physics")],
    ["Art", "ArrowLeft", null],
    ["Art", "*", { type: "open", ids: ["a", "d"] }],
    ["Photons", "Enter", { type: "activate" }],
    ["Photons", " ", { type: "activate" }],
    ["Physics", "F2", { type: "rename" }],
    ["uncategorized", "F2", null],
    ["Photons", "Delete", { type: "remove" }],
    ["Art", "Ctrl+Backspace", { type: "remove" }],
    ["Art", "Backspace", null],
    ["Photons", "ContextMenu", { type: "menu" }],
    ["Physics", "Shift+F10", { type: "menu" }],
    ["Physics", "F10", null],
    ["Physics", "Ctrl+x", { type: "cut" }],
    ["uncategorized", "Ctrl+x", null],
    ["uncategorized", "Ctrl+V", { type: "paste" }],
    ["Photons", "Escape", { type: "cancel" }],
    ["Photons", "Tab", null],
    ["Photons", "/", null],
    ["Photons", "?", null],
    ["Art", "Ctrl+s", null],
  ])("on %s: %s", (name, key, command) => {
    const press = createPress(key);
    expect(resolveKeyPress(rows, getRowKey(name), press, noTyping, 0).command).toEqual(command);
  });

  test("knows the keys of a keyboard without Latin letters", () => {
    const resolve = (key: string, code: string) =>
      resolveKeyPress(rows, getRowKey("Physics"), createPress(key, code), noTyping, 0).command;
    expect(resolve("Ctrl+ч", "KeyX")).toEqual({ type: "cut" });
    expect(resolve("Ctrl+М", "KeyV")).toEqual({ type: "paste" });
  });

  test("reaches every row downwards and the same rows upwards", () => {
    fc.assert(
      fc.property(arbitraryForest, fc.array(fc.nat({ max: 20 })), (folders, chosen) => {
        const all = buildTreeRows({
          tree: buildTree(list(folders)),
          draft: null,
          search: null,
          getLoaded: () => null,
          language: "en",
          expanded: new Set([uncategorizedId, ...chosen.map(String)]),
        });
        const walk = (from: string, key: string) => {
          const press = createPress(key);
          const path = [from];
          for (;;) {
            const { command } = resolveKeyPress(all, path.at(-1) ?? "", press, noTyping, 0);
            if (command?.type !== "focus") return path;
            path.push(command.key);
          }
        };
        const stops = all.filter(isFocusable).map(({ key }) => key);
        const down = walk(stops[0] ?? "", "ArrowDown");
        expect(down).toEqual(stops);
        expect(walk(down.at(-1) ?? "", "ArrowUp").toReversed()).toEqual(stops);
      }),
    );
  });
});

describe("type-ahead", () => {
  /** The row that has the focus after `keys`, pressed every `pauseMs` from row `at` on, and the last command. */
  function type(at: string, keys: string, pauseMs = 100) {
    let state = { command: focus(at) as KeyCommand | null, typing: noTyping };
    let row = getRowKey(at);
    for (const [index, key] of [...keys].entries()) {
      state = resolveKeyPress(rows, row, createPress(key), state.typing, index * pauseMs);
      if (state.command?.type === "focus") row = state.command.key;
    }
    return { row, ...state };
  }

  test.each([
    ["the start of a name", "p", "Phonetics"],
    ["the start of a name", "phy", "Physics"],
    ["the start of a name, in any case", "Phot", "Photons"],
    ["a repeated letter", "pp", "Physics"],
    ["a repeated letter", "ppp", "Photons"],
    ["a repeated letter, from the beginning again", "pppp", "Phonetics"],
  ])("finds a row by %s: %s", (_how, keys, name) => {
    expect(type("Art", keys).row).toBe(getRowKey(name));
  });

  test("starts over after a pause, and accepts a space before", () => {
    expect(type("Art", "po", typingPauseMs + 1).row).toBe(getRowKey("Optics"));
    expect(type("Art", "p ").typing.text).toBe("p ");
    expect(type("Art", "p ", typingPauseMs + 1).command).toEqual({ type: "activate" });
  });
});

test("replaces a removed row by the next one, else by the previous one", () => {
  expect(findNextActiveKey("b", ["a", "b", "c"], ["a", "c"])).toBe("c");
  expect(findNextActiveKey("c", ["a", "b", "c"], ["a", "b"])).toBe("b");
  expect(findNextActiveKey("b", ["a", "b", "c"], ["a"])).toBe("a");
  expect(findNextActiveKey("a", ["a"], [])).toBeNull();
  expect(findNextActiveKey("x", ["a"], ["a"])).toBeNull();
});
