import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef } from "react";
import { Signal } from "#client/lib/signal.ts";
import { browserClock } from "#client/realtime/platform/clock.ts";
import type { FolderTree } from "#client/state/library/folder-tree.ts";
import { canMove, type MovableItem } from "#client/state/library/move-targets.ts";
import { type DropTarget, findDropTarget, toMovableItem } from "./drop-target.ts";
import {
  type Gesture,
  type GestureEvent,
  idle,
  longPressMs,
  reduceGesture,
  scrollSpeed,
} from "./gesture.ts";
import { suppressClick } from "./suppress-click.ts";
import type { Row } from "./tree-rows.ts";

export interface Drag {
  item: MovableItem;
  key: string;
  target: DropTarget | null;
}

export interface DragSignals {
  drag: Signal<Drag | null>;
  pointer: Signal<{ x: number; y: number }>;
}

export const createDragSignals = (): DragSignals => ({
  drag: new Signal<Drag | null>(null),
  pointer: new Signal({ x: 0, y: 0 }),
});

/** A collapsed folder under the pointer expands after this time. */
const expandAfterMs = 600;

export const topLevelZone = "top";

interface DragOptions {
  signals: DragSignals;
  scroller: RefObject<HTMLElement | null>;
  findRow: (key: string) => Row | undefined;
  tree: FolderTree;
  onDrop: (moved: MovableItem, target: DropTarget) => void;
  onExpand: (row: Row) => void;
}

/** Dragging with a mouse, a pen or a finger. Returns the tree's handler of `pointerdown`. */
export function useDrag(options: DragOptions): (event: ReactPointerEvent) => void {
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const dragging = useRef<DragController | null>(null);
  dragging.current ??= new DragController(() => latest.current);
  useEffect(() => {
    const { current } = dragging;
    return () => current?.stop();
  }, []);
  return dragging.current.handlePointerDown;
}

/** Owns the window listeners, timers and auto-scroll of one drag at a time. `gesture.ts` decides what an event means. */
class DragController {
  readonly #getOptions: () => DragOptions;
  #gesture: Gesture = idle;
  #pressed: { row: Row; moved: MovableItem } | null = null;
  #unsubscribe: (() => void)[] = [];
  #hover: { key: string; cancel: () => void } | null = null;
  #frame = 0;

  constructor(getOptions: () => DragOptions) {
    this.#getOptions = getOptions;
  }

  readonly handlePointerDown = (event: ReactPointerEvent): void => {
    const touch = event.pointerType === "touch";
    const { pointerId, clientX: x, clientY: y } = event;
    if (this.#gesture.at !== "idle") {
      this.#dispatch({ type: "down", pointerId, touch, x, y });
      return;
    }
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    if (event.target.closest("button, input")) return;
    const row = this.#rowAt(event.target);
    const moved = row && toMovableItem(row);
    if (!row || !moved) return;
    this.#pressed = { row, moved };
    this.#listen(touch);
    this.#getOptions().signals.pointer.set({ x, y });
    this.#dispatch({ type: "down", pointerId, touch, x, y });
  };

  readonly stop = (): void => this.#dispatch({ type: "cancel" });

  #listen(touch: boolean): void {
    const listen = <K extends keyof WindowEventMap>(
      type: K,
      handle: (event: WindowEventMap[K]) => void,
      options: AddEventListenerOptions = {},
    ) => {
      window.addEventListener(type, handle, options);
      this.#unsubscribe.push(() => window.removeEventListener(type, handle, options));
    };
    listen("pointermove", ({ pointerId, buttons, clientX: x, clientY: y }) => {
      this.#getOptions().signals.pointer.set({ x, y });
      this.#dispatch({ type: "move", pointerId, down: buttons !== 0, x, y });
    });
    listen("pointerup", ({ pointerId }) => this.#dispatch({ type: "up", pointerId }));
    listen("pointercancel", () => this.#dispatch({ type: "cancel" }));
    listen("blur", () => this.#dispatch({ type: "cancel" }));
    listen(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || this.#gesture.at !== "dragging") return;
        event.preventDefault();
        event.stopPropagation();
        this.#dispatch({ type: "cancel" });
      },
      { capture: true },
    );
    if (!touch) return;
    // A drag with a finger neither scrolls the list nor opens the system menu.
    const preventInDrag = (event: Event) => {
      if (this.#gesture.at === "dragging") event.preventDefault();
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
    this.#unsubscribe.push(browserClock.after(longPressMs, () => this.#dispatch({ type: "held" })));
  }

  #dispatch(event: GestureEvent): void {
    const [next, effect] = reduceGesture(this.#gesture, event);
    this.#gesture = next;
    if (effect === "start") this.#start();
    if (effect === "start" || effect === "move") this.#updateTarget();
    if (effect === "drop" || effect === "abort") this.#finish(effect === "drop");
    if (next.at === "idle") this.#reset();
  }

  #start(): void {
    if (!this.#pressed) return;
    const { row, moved } = this.#pressed;
    this.#getOptions().signals.drag.set({ item: moved, key: row.key, target: null });
    let before = performance.now();
    const scroll = (time: number) => {
      const { scroller, signals } = this.#getOptions();
      const box = scroller.current?.getBoundingClientRect();
      const speed = box ? scrollSpeed(signals.pointer.get().y, box.top, box.bottom) : 0;
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
    const { signals, tree } = this.#getOptions();
    const drag = signals.drag.get();
    if (!drag) return;
    const { x, y } = signals.pointer.get();
    const element = document.elementFromPoint(x, y);
    const row = element ? this.#rowAt(element) : undefined;
    const isOverTopLevel = element?.closest(`[data-place="${topLevelZone}"]`);
    let target = row ? findDropTarget(tree, drag.item, row) : null;
    if (isOverTopLevel && canMove(tree, drag.item, null)) target = { folderId: null };
    const unchanged =
      target === drag.target || (target && target.folderId === drag.target?.folderId);
    if (!unchanged) signals.drag.set({ ...drag, target });
    this.#updateHover(row);
  }

  #updateHover(row: Row | undefined): void {
    const collapsed =
      (row?.kind === "folder" || row?.kind === "uncategorized") && !row.open ? row : undefined;
    if (collapsed?.key === this.#hover?.key) return;
    this.#hover?.cancel();
    this.#hover = collapsed
      ? {
          key: collapsed.key,
          cancel: browserClock.after(expandAfterMs, () => {
            this.#getOptions().onExpand(collapsed);
            this.#updateTarget();
          }),
        }
      : null;
  }

  #finish(drop: boolean): void {
    const { signals, onDrop } = this.#getOptions();
    const drag = signals.drag.get();
    signals.drag.set(null);
    cancelAnimationFrame(this.#frame);
    suppressClick(drop);
    if (drop && drag?.target) onDrop(drag.item, drag.target);
  }

  #reset(): void {
    this.#hover?.cancel();
    this.#hover = null;
    this.#pressed = null;
    for (const unsubscribe of this.#unsubscribe.splice(0)) unsubscribe();
  }

  #rowAt(element: Element): Row | undefined {
    const key = element.closest("[data-tree-row]")?.getAttribute("data-tree-row");
    return key ? this.#getOptions().findRow(key) : undefined;
  }
}
