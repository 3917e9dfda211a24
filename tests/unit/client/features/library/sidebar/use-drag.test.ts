// @vitest-environment happy-dom
import { beforeEach, describe, expect, test, vi } from "vitest";
import {
  type GestureEvent,
  getScrollSpeed,
  idle,
  reduceGesture,
} from "#client/features/library/sidebar/gesture.ts";
import { buildTreeRows, uncategorizedId } from "#client/features/library/sidebar/tree-rows.ts";
import { findDropTarget, suppressClick } from "#client/features/library/sidebar/use-drag.ts";
import { buildTree, type MovableItem } from "#client/state/library/folder-tree.ts";
import { folder, lecture, list } from "#tests/unit/client/kit/folders.ts";

test.each<[MovableItem["kind"], string, string | null, (string | null)[]]>([
  ["lecture", "1", "b", ["a", "c", null]],
  ["folder", "b", "a", ["c"]],
  ["folder", "a", null, ["c"]],
  ["folder", "c", null, ["a", "b"]],
])("drops %s %s of %s on the folders where it can go, and on what they hold", (...parameters) => {
  const [kind, id, from, targets] = parameters;
  const tree = buildTree(list([folder("a"), folder("b", "a", { lectures: 1 }), folder("c")], 1));
  const rows = buildTreeRows({
    tree,
    expanded: new Set(["a", "b", uncategorizedId]),
    draft: null,
    search: null,
    language: "en",
    getLoaded: (place) => ({ items: [lecture(`in ${place}`, place)], remaining: "none" }),
  });
  for (const row of rows) {
    const target = findDropTarget(tree, { kind, id, name: "", from }, row);
    const { folderId } = row;
    expect(target, row.key).toEqual(targets.includes(folderId) ? { folderId } : null);
  }
});

describe("reduceGesture", () => {
  const press = { type: "down", pointerId: 1, touch: false, x: 0, y: 0 } as const;
  const events: Record<string, GestureEvent> = {
    mouse: press,
    finger: { ...press, touch: true },
    finger2: { ...press, touch: true, pointerId: 2 },
    other: { ...press, type: "move", pointerId: 2, down: true, x: 50 },
    /** The mouse comes back to the window without its button. */
    back: { ...press, type: "move", down: false, x: 30 },
    held: { type: "held" },
    up: { type: "up", pointerId: 1 },
    Escape: { type: "cancel" },
  };
  /** A number is a move to that distance, px. */
  const toEvent = (text: string): GestureEvent =>
    events[text] ?? { ...press, type: "move", down: true, x: Number(text) };

  test.each([
    ["a mouse press up to 3 px as a click", "mouse 3 up", "- - -"],
    ["a mouse press beyond 3 px as a drag", "mouse 3.1 4 up", "- start move drop"],
    ["Escape as the end", "mouse 9 Escape up", "- start abort -"],
    ["another pointer as unrelated", "mouse other up", "- - -"],
    ["a drag that ended outside of the window", "mouse 20 back 40 up", "- start abort - -"],
    ["a press that ended outside of the window", "mouse back 40", "- - -"],
    ["a finger that stays in place as a drag", "finger 9 held 40 up", "- - start move drop"],
    ["a finger that moves by more than 10 px as scrolling", "finger 11 held up", "- - - -"],
    ["a second finger as the end", "finger held finger2", "- start abort"],
  ])("treats %s", (_name, steps, expected) => {
    let gesture = idle;
    const effects = steps.split(" ").map((step) => {
      const [next, effect] = reduceGesture(gesture, toEvent(step));
      gesture = next;
      return effect ?? "-";
    });
    expect(effects.join(" ")).toBe(expected);
  });
});

test("scrolls at the edges of a list, faster towards them", () => {
  expect(getScrollSpeed(300, 100, 500)).toBe(0);
  expect(getScrollSpeed(490, 100, 500)).toBeGreaterThan(getScrollSpeed(470, 100, 500));
  expect(getScrollSpeed(470, 100, 500)).toBeGreaterThan(0);
  expect(getScrollSpeed(110, 100, 500)).toBeLessThan(0);
  expect(getScrollSpeed(900, 100, 500)).toBe(getScrollSpeed(500, 100, 500));
});

describe("suppressClick", () => {
  const clicked = vi.fn();
  const button = document.createElement("button");
  button.addEventListener("click", clicked);
  const send = (type: string) => button.dispatchEvent(new MouseEvent(type, { bubbles: true }));

  beforeEach(() => {
    clicked.mockClear();
    vi.useFakeTimers();
    document.body.append(button);
    return () => vi.useRealTimers();
  });

  test("suppresses the click of a drop, but not the next one", () => {
    suppressClick(true);
    send("click");
    expect(clicked).not.toHaveBeenCalled();
    vi.runAllTimers();
    send("click");
    expect(clicked).toHaveBeenCalledOnce();
  });

  test("suppresses the click after a cancelled drag", () => {
    suppressClick(false);
    vi.runAllTimers();
    send("pointerup");
    send("click");
    expect(clicked).not.toHaveBeenCalled();
    vi.runAllTimers();
    send("click");
    expect(clicked).toHaveBeenCalledOnce();
  });

  test("allows the next click after the browser has taken over the pointer", () => {
    suppressClick(false);
    for (const type of ["pointerdown", "pointerup", "click"]) send(type);
    expect(clicked).toHaveBeenCalledOnce();
  });
});
