// @vitest-environment happy-dom
import fc from "fast-check";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { listMoveTargets } from "#client/features/library/move-dialog.tsx";
import {
  dragThresholdPx,
  type GestureEffect,
  type GestureEvent,
  getScrollSpeed,
  idle,
  reduceGesture,
} from "#client/features/library/sidebar/gesture.ts";
import {
  buildTreeRows,
  isItem,
  uncategorizedId,
} from "#client/features/library/sidebar/tree-rows.ts";
import { findDropTarget, suppressClick } from "#client/features/library/sidebar/use-drag.ts";
import { buildTree, listSubtree, type MovableItem } from "#client/state/library/folder-tree.ts";

import { arbitraryForest, folder, lecture, list } from "#tests/unit/client/kit/folders.ts";

describe("findDropTarget", () => {
  test("never offers a folder itself, its descendants or its parent", () => {
    fc.assert(
      fc.property(arbitraryForest, fc.nat(), (folders, chosen) => {
        const tree = buildTree(list(folders, 1));
        const { id = "" } = folders[chosen % folders.length] ?? {};
        const node = tree.byId.get(id);
        const moved: MovableItem = { kind: "folder", id, name: "", from: node?.parentId ?? null };
        const below = new Set(listSubtree(tree, id).map((one) => one.id));
        const open = new Set([uncategorizedId, ...folders.map((one) => one.id)]);
        const loaded = (place: string | null) => ({
          items: [lecture(`in ${place}`, place)],
          remaining: "none" as const,
        });
        for (const row of buildTreeRows({ tree, expanded: open, getLoaded: loaded, draft: null })) {
          const target = findDropTarget(tree, moved, row);
          const fits =
            row.folderId !== null && !below.has(row.folderId) && row.folderId !== moved.from;
          expect(target).toEqual(fits ? { folderId: row.folderId } : null);
        }
        const offered = listMoveTargets(tree, moved, "").map(({ folderId }) => folderId);
        const allowed = folders.map((one) => one.id).filter((one) => !below.has(one));
        expect(offered.toSorted()).toEqual(allowed.filter((one) => one !== moved.from).toSorted());
      }),
    );
  });

  test("offers a lecture every folder except its own", () => {
    const tree = buildTree(list([folder("a"), folder("b", "a", { lectures: 1 })], 1));
    const items = [lecture("1", "b", { title: "Heat" })];
    const rows = buildTreeRows({
      ...{ tree, expanded: new Set(["a", "b", uncategorizedId]), draft: null },
      getLoaded: (id) => ({ items: id === "b" ? items : [], remaining: "none" }),
    });
    const row = rows.find(({ kind }) => kind === "lecture");
    const moved = row && isItem(row) ? row.item : null;
    expect(moved).toEqual({ kind: "lecture", id: "1", name: "Heat", from: "b" });
    if (!moved) return;
    expect(rows.map((one) => [one.key, findDropTarget(tree, moved, one)])).toEqual([
      ["folder a", { folderId: "a" }],
      ["folder b", null],
      ["lecture 1", null],
      ["uncategorized", { folderId: null }],
    ]);
    expect(listMoveTargets(tree, { ...moved, from: null }, " FOLDER B")).toEqual([
      { folderId: "b", name: "Folder b", path: ["Folder a"], depth: 1 },
    ]);
  });
});

describe("reduceGesture", () => {
  function play(events: GestureEvent[]): GestureEffect[] {
    let gesture = idle;
    return events.map((event) => {
      const [next, effect] = reduceGesture(gesture, event);
      gesture = next;
      return effect;
    });
  }
  const down = (touch: boolean): GestureEvent => ({
    type: "down",
    pointerId: 1,
    touch,
    x: 0,
    y: 0,
  });
  const move = (x: number, pointerId = 1): GestureEvent => ({
    ...{ type: "move", pointerId, x, y: 0 },
    down: true,
  });
  const up: GestureEvent = { type: "up", pointerId: 1 };

  test("treats a mouse press as a click up to 3 px, and as a drag beyond", () => {
    expect(dragThresholdPx).toBe(3);
    expect(play([down(false), move(3), up])).toEqual([null, null, null]);
    expect(play([down(false), move(3.1), move(4), up])).toEqual([null, "start", "move", "drop"]);
    expect(play([down(false), move(9), { type: "cancel" }, up])).toEqual([
      ...[null, "start", "abort", null],
    ]);
    expect(play([down(false), move(50, 2), up])).toEqual([null, null, null]);
  });

  test("ends a press without its event when the mouse comes back", () => {
    const back: GestureEvent = { type: "move", pointerId: 1, down: false, x: 30, y: 0 };
    expect(play([down(false), move(20), back, move(40), up])).toEqual([
      ...[null, "start", "abort", null, null],
    ]);
    expect(play([down(false), back, move(40)])).toEqual([null, null, null]);
  });

  test("drags with a finger after a long press, and scrolls before", () => {
    expect(play([down(true), move(9), { type: "held" }, move(40), up])).toEqual([
      ...[null, null, "start", "move", "drop"],
    ]);
    expect(play([down(true), move(11), { type: "held" }, up])).toEqual([null, null, null, null]);
    expect(
      play([down(true), { type: "held" }, { ...down(true), pointerId: 2 } as GestureEvent]),
    ).toEqual([null, "start", "abort"]);
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
