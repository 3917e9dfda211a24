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

/** A closed folder under the pointer opens after this time. */
const openAfterMs = 600;

export const topLevelZone = "top";

interface DragOptions {
  signals: DragSignals;
  scroller: RefObject<HTMLElement | null>;
  findRow: (key: string) => Row | undefined;
  tree: FolderTree;
  onDrop: (moved: MovableItem, target: DropTarget) => void;
  onExpand: (row: Row) => void;
}

/** Dragging with a mouse, a pen or a finger. Returns what the tree does when a pointer goes down on it. */
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
  return dragging.current.down;
}

class DragController {
  readonly #now: () => DragOptions;
  #gesture: Gesture = idle;
  #pressed: { row: Row; moved: MovableItem } | null = null;
  #leave: (() => void)[] = [];
  #hover: { key: string; cancel: () => void } | null = null;
  #frame = 0;

  constructor(now: () => DragOptions) {
    this.#now = now;
  }

  readonly down = (event: ReactPointerEvent): void => {
    const touch = event.pointerType === "touch";
    const { pointerId, clientX: x, clientY: y } = event;
    if (this.#gesture.at !== "rest") {
      this.#take({ type: "down", pointerId, touch, x, y });
      return;
    }
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    if (event.target.closest("button, input")) return;
    const row = this.#rowAt(event.target);
    const moved = row && toMovableItem(row);
    if (!row || !moved) return;
    this.#pressed = { row, moved };
    this.#listen(touch);
    this.#now().signals.pointer.set({ x, y });
    this.#take({ type: "down", pointerId, touch, x, y });
  };

  readonly stop = (): void => this.#take({ type: "cancel" });

  #listen(touch: boolean): void {
    const listen = <K extends keyof WindowEventMap>(
      type: K,
      take: (event: WindowEventMap[K]) => void,
      options: AddEventListenerOptions = {},
    ) => {
      window.addEventListener(type, take, options);
      this.#leave.push(() => window.removeEventListener(type, take, options));
    };
    listen("pointermove", ({ pointerId, buttons, clientX: x, clientY: y }) => {
      this.#now().signals.pointer.set({ x, y });
      this.#take({ type: "move", pointerId, down: buttons !== 0, x, y });
    });
    listen("pointerup", ({ pointerId }) => this.#take({ type: "up", pointerId }));
    listen("pointercancel", () => this.#take({ type: "cancel" }));
    listen("blur", () => this.#take({ type: "cancel" }));
    listen(
      "keydown",
      (event) => {
        if (event.key !== "Escape" || this.#gesture.at !== "dragging") return;
        event.preventDefault();
        event.stopPropagation();
        this.#take({ type: "cancel" });
      },
      { capture: true },
    );
    if (!touch) return;
    // What is dragged by a finger does not scroll the list, and opens no menu of the system.
    const keep = (event: Event) => {
      if (this.#gesture.at === "dragging") event.preventDefault();
    };
    listen("touchmove", keep, { passive: false });
    listen(
      "contextmenu",
      (event) => {
        event.preventDefault();
        // Nor the row's own: its button is in view.
        event.stopPropagation();
      },
      { capture: true },
    );
    this.#leave.push(browserClock.after(longPressMs, () => this.#take({ type: "held" })));
  }

  #take(event: GestureEvent): void {
    const [next, effect] = reduceGesture(this.#gesture, event);
    this.#gesture = next;
    if (effect === "start") this.#start();
    if (effect === "start" || effect === "move") this.#look();
    if (effect === "drop" || effect === "abort") this.#end(effect === "drop");
    if (next.at === "rest") this.#rest();
  }

  #start(): void {
    if (!this.#pressed) return;
    const { row, moved } = this.#pressed;
    this.#now().signals.drag.set({ item: moved, key: row.key, target: null });
    let before = performance.now();
    const scroll = (time: number) => {
      const { scroller, signals } = this.#now();
      const box = scroller.current?.getBoundingClientRect();
      const speed = box ? scrollSpeed(signals.pointer.get().y, box.top, box.bottom) : 0;
      // A page in the background sleeps between two frames.
      const seconds = Math.min(time - before, 100) / 1_000;
      before = time;
      if (speed !== 0) {
        scroller.current?.scrollBy({ top: speed * seconds });
        this.#look();
      }
      this.#frame = requestAnimationFrame(scroll);
    };
    this.#frame = requestAnimationFrame(scroll);
  }

  #look(): void {
    const { signals, tree } = this.#now();
    const drag = signals.drag.get();
    if (!drag) return;
    const { x, y } = signals.pointer.get();
    const element = document.elementFromPoint(x, y);
    const row = element ? this.#rowAt(element) : undefined;
    const onTop = element?.closest(`[data-place="${topLevelZone}"]`);
    let target = row ? findDropTarget(tree, drag.item, row) : null;
    if (onTop && canMove(tree, drag.item, null)) target = { folderId: null };
    const same = target === drag.target || (target && target.folderId === drag.target?.folderId);
    if (!same) signals.drag.set({ ...drag, target });
    this.#hoverOver(row);
  }

  #hoverOver(row: Row | undefined): void {
    const closed =
      (row?.kind === "folder" || row?.kind === "uncategorized") && !row.open ? row : undefined;
    if (closed?.key === this.#hover?.key) return;
    this.#hover?.cancel();
    this.#hover = closed
      ? {
          key: closed.key,
          cancel: browserClock.after(openAfterMs, () => {
            this.#now().onExpand(closed);
            this.#look();
          }),
        }
      : null;
  }

  #end(drop: boolean): void {
    const { signals, onDrop } = this.#now();
    const drag = signals.drag.get();
    signals.drag.set(null);
    cancelAnimationFrame(this.#frame);
    suppressClick(drop);
    if (drop && drag?.target) onDrop(drag.item, drag.target);
  }

  #rest(): void {
    this.#hover?.cancel();
    this.#hover = null;
    this.#pressed = null;
    for (const leave of this.#leave.splice(0)) leave();
  }

  #rowAt(element: Element): Row | undefined {
    const key = element.closest("[data-tree-row]")?.getAttribute("data-tree-row");
    return key ? this.#now().findRow(key) : undefined;
  }
}
