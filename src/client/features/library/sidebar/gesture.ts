/** A press that may become a drag: a mouse has to move, a finger to stay. */
export type Gesture =
  | { at: "rest" }
  | { at: "pressed"; pointerId: number; touch: boolean; x: number; y: number }
  | { at: "dragging"; pointerId: number; touch: boolean };

export type GestureEvent =
  | { type: "down"; pointerId: number; touch: boolean; x: number; y: number }
  /** `down`: a button is held, or the finger lies on the glass. */
  | { type: "move"; pointerId: number; down: boolean; x: number; y: number }
  /** The finger has stayed for `longPressMs`. */
  | { type: "held" }
  | { type: "up"; pointerId: number }
  /** Escape, or the browser has taken the pointer for itself. */
  | { type: "cancel" };

/** `start` begins a drag, `drop` ends it, `abort` takes it back. */
export type GestureEffect = "start" | "move" | "drop" | "abort" | null;

/** A press that moves no further is a click. */
export const dragThresholdPx = 3;
export const longPressMs = 400;
/** A finger that moves further scrolls. */
const scrollThresholdPx = 10;

export const idle: Gesture = { at: "rest" };

export function reduceGesture(gesture: Gesture, event: GestureEvent): [Gesture, GestureEffect] {
  switch (event.type) {
    case "down": {
      // A second finger is no drag.
      if (gesture.at !== "rest") return [idle, gesture.at === "dragging" ? "abort" : null];
      const { pointerId, touch, x, y } = event;
      return [{ at: "pressed", pointerId, touch, x, y }, null];
    }
    case "move": {
      if (gesture.at === "rest" || gesture.pointerId !== event.pointerId) return [gesture, null];
      // It was let go where nobody told: outside the window, or over a frame.
      if (!event.down) return reduceGesture(gesture, { type: "cancel" });
      if (gesture.at === "dragging") return [gesture, "move"];
      const { pointerId, touch } = gesture;
      const way = Math.hypot(event.x - gesture.x, event.y - gesture.y);
      if (touch) return way > scrollThresholdPx ? [idle, null] : [gesture, null];
      return way > dragThresholdPx
        ? [{ at: "dragging", pointerId, touch }, "start"]
        : [gesture, null];
    }
    case "held": {
      if (gesture.at !== "pressed" || !gesture.touch) return [gesture, null];
      return [{ at: "dragging", pointerId: gesture.pointerId, touch: true }, "start"];
    }
    case "up":
      if (gesture.at === "rest" || gesture.pointerId !== event.pointerId) return [gesture, null];
      return [idle, gesture.at === "dragging" ? "drop" : null];
    case "cancel":
      return [idle, gesture.at === "dragging" ? "abort" : null];
  }
}

const edgePx = 40;
const fastestPxPerSecond = 900;

/** How fast a list scrolls while something is dragged at `y`, px/s; negative: upwards. All in one measure. */
export function scrollSpeed(y: number, top: number, bottom: number): number {
  const edge = Math.min(edgePx, (bottom - top) / 4);
  if (edge <= 0) return 0;
  const near = (distance: number) => Math.min(1, Math.max(0, (edge - distance) / edge));
  return (near(bottom - y) - near(y - top)) * fastestPxPerSecond;
}
