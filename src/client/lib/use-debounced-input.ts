import { type CompositionEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { browserClock } from "#client/realtime/platform/clock.ts";

/** So long nothing was typed: then it is asked for. */
const pauseMs = 250;

/**
 * A field whose text is passed on when the typing pauses, at once on Enter, and never in the middle of a
 * composition: what an input method shows by then is not yet what the person means. Escape empties it.
 */
export function useDebouncedInput(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value);
  const state = useRef({
    passed: value,
    /** What was passed on and has not come back as `value`. */
    underWay: [] as string[],
    composing: false,
    cancel: () => {},
  });
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => () => state.current.cancel(), []);
  // Changed from outside: by going back, or by a link.
  useEffect(() => {
    // What was typed since is newer than what comes back of it.
    const at = state.current.underWay.indexOf(value);
    state.current.underWay.splice(0, at + 1);
    if (at !== -1 || value === state.current.passed) return;
    state.current.underWay = [];
    state.current.cancel();
    state.current.passed = value;
    setText(value);
  }, [value]);

  function pass(next: string) {
    state.current.cancel();
    if (next === state.current.passed) return;
    state.current.passed = next;
    state.current.underWay.push(next);
    latest.current(next);
  }

  function later(next: string) {
    state.current.cancel();
    state.current.cancel = browserClock.after(pauseMs, () => pass(next));
  }

  return {
    text,
    set(next: string) {
      setText(next);
      pass(next);
    },
    field: {
      value: text,
      onChange(event: { target: { value: string } }) {
        setText(event.target.value);
        if (!state.current.composing) later(event.target.value);
      },
      onCompositionStart() {
        state.current.composing = true;
        state.current.cancel();
      },
      onCompositionEnd(event: CompositionEvent<HTMLInputElement>) {
        state.current.composing = false;
        later(event.currentTarget.value);
      },
      onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
        // Enter and Escape belong to the input method while it composes.
        if (state.current.composing || event.nativeEvent.isComposing) return;
        if (event.key === "Enter") pass(text);
        if (event.key === "Escape" && text !== "") {
          event.preventDefault();
          setText("");
          pass("");
        }
      },
    },
  };
}
