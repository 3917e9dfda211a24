import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useState } from "react";
import { browserClock } from "#client/lib/clock.ts";
import { Signal } from "#client/lib/observable.ts";
import { canMove, type FolderTree, type MovableItem } from "#client/state/library/folder-tree.ts";
import {
  type Gesture,
  type GestureEvent,
  getScrollSpeed,
  idle,
  longPressMs,
  reduceGesture,
} from "./gesture.ts";
import { type GroupRow, type ItemRow, isGroup, isItem, type Row } from "./tree-rows.ts";

/** `folderId` null: out of all folders, or to the top level. */
interface DropTarget {
  folderId: string | null;
}

interface Drag {
  item: MovableItem;
  key: string;
  target: DropTarget | null;
}

/** The drag in progress; null for none. */
export const currentDrag = new Signal<Drag | null>(null);

export const pointerPosition = new Signal({ x: 0, y: 0 });

/** A collapsed folder under the pointer expands after this time. */
const expandAfterMs = 600;

export const topLevelZone = "top";

/**
 * The target of dropping `item` on `row`; null if it cannot go there. A row inside a folder stands for that folder.
 * Folders cannot be dropped on the section of lectures without a folder.
 */
export function findDropTarget(tree: FolderTree, item: MovableItem, row: Row): DropTarget | null {
  const { folderId } = row;
  if (item.kind === "folder" && folderId === null) return null;
  return canMove(tree, item, folderId) ? { folderId } : null;
}

interface DragOptions {
  scroller: RefObject<HTMLElement | null>;
  findRow: (element: Element) => Row | undefined;
  tree: FolderTree;
  onDrop: (item: MovableItem, folderId: string | null) => void;
  onExpand: (row: GroupRow) => void;
  /** What a finger does that stays in place, if it does not drag. */
  onHold?: (row: ItemRow) => void;
}

/** Dragging with a mouse, a pen or a finger. Returns the tree's handler of `pointerdown`. */
export function useDrag(options: DragOptions): (event: ReactPointerEvent) => void {
  const [controller] = useState(() => new DragController(options));
  useEffect(() => {
    controller.options = options;
  });
  useEffect(() => controller.stop, [controller]);
  return controller.handlePointerDown;
}

/** Owns the window listeners, timers and auto-scroll of one drag at a time. `gesture.ts` decides what an event means. */
class DragController {
  /** As of the last render. */
  options: DragOptions;
  #gesture: Gesture = idle;
  #pressedRow: ItemRow | null = null;
  /** Aborted when the press or drag ends: removes its listeners. */
  #press = new AbortController();
  #hover: { key: string; cancel: () => void } | null = null;
  #frame = 0;

  constructor(options: DragOptions) {
    this.options = options;
  }

  readonly handlePointerDown = (event: ReactPointerEvent): void => {
    const touch = event.pointerType === "touch";
    const { pointerId, clientX: x, clientY: y } = event;
    if (this.#gesture.phase === "idle") {
      if (event.button !== 0 || !(event.target instanceof Element)) return;
      if (event.target.closest("button, input")) return;
      const row = this.options.findRow(event.target);
      if (!row || !isItem(row)) return;
      this.#pressedRow = row;
      this.#listen(touch);
      pointerPosition.set({ x, y });
    }
    this.#dispatch({ type: "down", pointerId, touch, x, y });
  };

  readonly stop = (): void => this.#dispatch({ type: "cancel" });

  #listen(touch: boolean): void {
    this.#press = new AbortController();
    const { signal } = this.#press;
    const listen = <K extends keyof WindowEventMap>(
      type: K,
      handle: (event: WindowEventMap[K]) => void,
      options: AddEventListenerOptions = {},
    ) => window.addEventListener(type, handle, { ...options, signal });
    listen("pointermove", ({ pointerId, buttons, clientX: x, clientY: y }) => {
      pointerPosition.set({ x, y });
      this.#dispatch({ type: "move", pointerId, down: buttons !== 0, x, y });
    });
    listen("pointerup", ({ pointerId }) => this.#dispatch({ type: "up", pointerId }));
    listen("pointercancel", this.stop);
    listen("blur", this.stop);
    listen(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || this.#gesture.phase !== "dragging") return;
        event.preventDefault();
        event.stopPropagation();
        this.stop();
      },
      { capture: true },
    );
    if (!touch) return;
    // A drag with a finger neither scrolls the list nor opens the system menu.
    const preventInDrag = (event: Event) => {
      if (this.#gesture.phase === "dragging") event.preventDefault();
    };
    listen("touchmove", preventInDrag, { passive: false });
    listen(
      "contextmenu",
      (event) => {
        event.preventDefault();
        // Nor does it open the row's menu, which has a button of its own on touch screens.
        event.stopPropagation();
      },
      { capture: true },
    );
    const cancelTimer = browserClock.after(longPressMs, () => this.#hold());
    signal.addEventListener("abort", cancelTimer);
  }

  #hold(): void {
    const { onHold } = this.options;
    const row = this.#pressedRow;
    if (!onHold || !row) {
      this.#dispatch({ type: "held" });
      return;
    }
    this.stop();
    suppressClick(false);
    onHold(row);
  }

  #dispatch(event: GestureEvent): void {
    const [next, effect] = reduceGesture(this.#gesture, event);
    this.#gesture = next;
    if (effect === "start") this.#start();
    if (effect === "start" || effect === "move") this.#updateTarget();
    if (effect === "drop" || effect === "abort") this.#finish(effect === "drop");
    if (next.phase !== "idle") return;
    this.#setHover(null);
    this.#pressedRow = null;
    this.#press.abort();
  }

  #start(): void {
    if (!this.#pressedRow) return;
    const { key, item } = this.#pressedRow;
    currentDrag.set({ item, key, target: null });
    let before = performance.now();
    const scroll = (time: number) => {
      const { scroller } = this.options;
      const box = scroller.current?.getBoundingClientRect();
      const speed = box ? getScrollSpeed(pointerPosition.get().y, box.top, box.bottom) : 0;
      // A tab in the background may pause between two frames.
      const seconds = Math.min(time - before, 100) / 1_000;
      before = time;
      if (speed !== 0) {
        scroller.current?.scrollBy({ top: speed * seconds });
        this.#updateTarget();
      }
      this.#frame = requestAnimationFrame(scroll);
    };
    this.#frame = requestAnimationFrame(scroll);
  }

  #updateTarget(): void {
    const { tree, findRow } = this.options;
    const drag = currentDrag.get();
    if (!drag) return;
    const { x, y } = pointerPosition.get();
    const element = document.elementFromPoint(x, y);
    const row = element ? findRow(element) : undefined;
    const isOverTopLevel = element?.closest(`[data-place="${topLevelZone}"]`);
    let target = row ? findDropTarget(tree, drag.item, row) : null;
    if (isOverTopLevel && canMove(tree, drag.item, null)) target = { folderId: null };
    if (target?.folderId !== drag.target?.folderId) currentDrag.set({ ...drag, target });
    this.#setHover(row && isGroup(row) && row.canExpand && !row.open ? row : null);
  }

  #setHover(row: GroupRow | null): void {
    if (row?.key === this.#hover?.key) return;
    this.#hover?.cancel();
    this.#hover = row && {
      key: row.key,
      cancel: browserClock.after(expandAfterMs, () => {
        this.options.onExpand(row);
        this.#updateTarget();
      }),
    };
  }

  #finish(drop: boolean): void {
    const drag = currentDrag.get();
    currentDrag.set(null);
    cancelAnimationFrame(this.#frame);
    suppressClick(drop);
    if (drop && drag?.target) this.options.onDrop(drag.item, drag.target.folderId);
  }
}

/** Suppresses the click after a drag. `released`: the pointer is up, and the click follows at once. */
export function suppressClick(released: boolean): void {
  const controller = new AbortController();
  const options = { capture: true, signal: controller.signal };
  const end = () => controller.abort();
  const endSoon = () => setTimeout(end);
  const suppress = (event: Event) => {
    event.stopPropagation();
    // Nor is a link followed.
    event.preventDefault();
  };
  window.addEventListener("click", suppress, options);
  if (released) {
    endSoon();
    return;
  }
  window.addEventListener("pointerup", endSoon, options);
  // If the browser has taken over the pointer, no click follows; the next press must not be suppressed.
  window.addEventListener("pointerdown", end, options);
}
