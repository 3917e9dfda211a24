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
    ...{ tree, expanded: new Set(open), draft: null },
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

const createPress = (key: string): KeyPress => ({
  ...{ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false },
});

function press(name: string, key: string, modifiers: Partial<KeyPress> = {}) {
  const keys = { ...createPress(key), ...modifiers };
  return resolveKeyPress(rows, getRowKey(name), keys, noTyping, 0).command;
}

const focus = (name: string): KeyCommand => ({ type: "focus", key: getRowKey(name) });

describe("resolveKeyPress", () => {
  test.each([
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
    ["Photons", "ContextMenu", { type: "menu" }],
    ["Photons", "Escape", { type: "cancel" }],
    ["Photons", "Tab", null],
    ["Photons", "/", null],
    ["Photons", "?", null],
  ] as [string, string, KeyCommand | null][])("on %s: %s", (name, key, command) => {
    expect(press(name, key)).toEqual(command);
  });

  test("handles modifier keys", () => {
    expect(press("Physics", "F10", { shiftKey: true })).toEqual({ type: "menu" });
    expect(press("Physics", "F10")).toBeNull();
    expect(press("Physics", "x", { ctrlKey: true })).toEqual({ type: "cut" });
    expect(press("uncategorized", "V", { ctrlKey: true })).toEqual({ type: "paste" });
    expect(press("uncategorized", "x", { ctrlKey: true })).toBeNull();
    expect(press("Art", "Backspace", { ctrlKey: true })).toEqual({ type: "remove" });
    expect(press("Art", "Backspace")).toBeNull();
    expect(press("Art", "s", { ctrlKey: true })).toBeNull();
  });

  test("reaches every row downwards and the same rows upwards", () => {
    fc.assert(
      fc.property(arbitraryForest, fc.array(fc.nat({ max: 20 })), (folders, chosen) => {
        const open = new Set([uncategorizedId, ...chosen.map(String)]);
        const forest = buildTree(list(folders));
        const all = buildTreeRows({
          tree: forest,
          expanded: open,
          draft: null,
          getLoaded: () => null,
        });
        const walk = (from: string, key: string) => {
          const path = [from];
          for (;;) {
            const { command } = resolveKeyPress(
              all,
              path.at(-1) ?? "",
              createPress(key),
              noTyping,
              0,
            );
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
  function type(from: string, letters: [string, number][]) {
    let typing = noTyping;
    let at = getRowKey(from);
    for (const [key, now] of letters) {
      const next = resolveKeyPress(rows, at, createPress(key), typing, now);
      typing = next.typing;
      if (next.command?.type === "focus") at = next.command.key;
    }
    return at;
  }

  test("finds a row by the start of its name", () => {
    expect(type("Art", [["p", 0]])).toBe(getRowKey("Phonetics"));
    expect(
      type("Art", [
        ["p", 0],
        ["h", 100],
        ["y", 200],
      ]),
    ).toBe(getRowKey("Physics"));
    expect(
      type("Art", [
        ["P", 0],
        ["h", 100],
        ["o", 200],
        ["t", 300],
      ]),
    ).toBe(getRowKey("Photons"));
  });

  test("cycles through matching rows by a repeated letter", () => {
    const twice: [string, number][] = [
      ["p", 0],
      ["p", 100],
    ];
    expect(type("Art", twice)).toBe(getRowKey("Physics"));
    expect(type("Art", [...twice, ["p", 200]])).toBe(getRowKey("Photons"));
    expect(type("Art", [...twice, ["p", 200], ["p", 300]])).toBe(getRowKey("Phonetics"));
  });

  test("starts over after a pause, and accepts a space before", () => {
    expect(
      type("Art", [
        ["p", 0],
        ["o", typingPauseMs + 1],
      ]),
    ).toBe(getRowKey("Optics"));
    const space = createPress(" ");
    const first = resolveKeyPress(rows, getRowKey("Art"), createPress("p"), noTyping, 0);
    expect(resolveKeyPress(rows, getRowKey("Art"), space, first.typing, 100).typing.text).toBe(
      "p ",
    );
    expect(resolveKeyPress(rows, getRowKey("Art"), space, first.typing, 1_000).command?.type).toBe(
      "activate",
    );
  });
});

test("replaces a removed row by the next one, else by the previous one", () => {
  expect(findNextActiveKey("b", ["a", "b", "c"], ["a", "c"])).toBe("c");
  expect(findNextActiveKey("c", ["a", "b", "c"], ["a", "b"])).toBe("b");
  expect(findNextActiveKey("b", ["a", "b", "c"], ["a"])).toBe("a");
  expect(findNextActiveKey("a", ["a"], [])).toBeNull();
  expect(findNextActiveKey("x", ["a"], ["a"])).toBeNull();
});
