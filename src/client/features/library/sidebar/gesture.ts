/** A press that may become a drag: a mouse has to move, a finger to stay in place. */
export type Gesture =
  | { phase: "idle" }
  | { phase: "pressed"; pointerId: number; touch: boolean; x: number; y: number }
  | { phase: "dragging"; pointerId: number };

export type GestureEvent =
  | { type: "down"; pointerId: number; touch: boolean; x: number; y: number }
  /** `down`: a button is held, or the finger touches the screen. */
  | { type: "move"; pointerId: number; down: boolean; x: number; y: number }
  /** The finger has stayed in place for `longPressMs`. */
  | { type: "held" }
  | { type: "up"; pointerId: number }
  /** Escape, or the browser has taken over the pointer. */
  | { type: "cancel" };

/** `start` begins a drag, `drop` ends it, `abort` cancels it. */
export type GestureEffect = "start" | "move" | "drop" | "abort" | null;

/** A press that moves no further is a click. */
const dragThresholdPx = 3;
export const longPressMs = 400;
/** A finger that moves further scrolls. */
const scrollThresholdPx = 10;

export const idle: Gesture = { phase: "idle" };

export function reduceGesture(gesture: Gesture, event: GestureEvent): [Gesture, GestureEffect] {
  switch (event.type) {
    case "down": {
      // A second finger cancels.
      if (gesture.phase !== "idle") return [idle, gesture.phase === "dragging" ? "abort" : null];
      const { pointerId, touch, x, y } = event;
      return [{ phase: "pressed", pointerId, touch, x, y }, null];
    }
    case "move": {
      if (gesture.phase === "idle" || gesture.pointerId !== event.pointerId) return [gesture, null];
      // Released without an event: outside the window, or over a frame.
      if (!event.down) return reduceGesture(gesture, { type: "cancel" });
      if (gesture.phase === "dragging") return [gesture, "move"];
      const distance = Math.hypot(event.x - gesture.x, event.y - gesture.y);
      if (distance <= (gesture.touch ? scrollThresholdPx : dragThresholdPx)) return [gesture, null];
      if (gesture.touch) return [idle, null];
      return [{ phase: "dragging", pointerId: gesture.pointerId }, "start"];
    }
    case "held":
      if (gesture.phase !== "pressed" || !gesture.touch) return [gesture, null];
      return [{ phase: "dragging", pointerId: gesture.pointerId }, "start"];
    case "up":
      if (gesture.phase === "idle" || gesture.pointerId !== event.pointerId) return [gesture, null];
      return [idle, gesture.phase === "dragging" ? "drop" : null];
    case "cancel":
      return [idle, gesture.phase === "dragging" ? "abort" : null];
  }
}

const edgePx = 40;
const fastestPxPerSecond = 900;

/** How fast a list scrolls while something is dragged at `y`, px/s; negative: upwards. */
export function getScrollSpeed(y: number, top: number, bottom: number): number {
  const edge = Math.min(edgePx, (bottom - top) / 4);
  if (edge <= 0) return 0;
  const closeness = (distance: number) => Math.min(1, Math.max(0, (edge - distance) / edge));
  return (closeness(bottom - y) - closeness(y - top)) * fastestPxPerSecond;
}
