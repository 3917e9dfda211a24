import { type CompositionEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { browserClock } from "./clock.ts";

/** The text is passed on after this long without a key. */
const pauseMs = 250;

/**
 * A field that passes its text on when typing pauses, at once on Enter, and never during an input method's
 * composition, whose text is not final. Escape clears it.
 */
export function useDebouncedInput(value: string, onChange: (value: string) => void) {
  const [text, setText] = useState(value);
  const state = useRef({
    lastSent: value,
    /** Texts that were passed on and have not come back as `value` yet. */
    pending: [] as string[],
    composing: false,
    cancel: () => {},
  });
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });
  useEffect(() => () => state.current.cancel(), []);
  // The value changed from outside: by going back, or by a link.
  useEffect(() => {
    // A text that comes back is older than what was typed since.
    const index = state.current.pending.indexOf(value);
    state.current.pending.splice(0, index + 1);
    if (index !== -1 || value === state.current.lastSent) return;
    state.current.pending = [];
    state.current.cancel();
    state.current.lastSent = value;
    setText(value);
  }, [value]);

  function send(next: string) {
    state.current.cancel();
    if (next === state.current.lastSent) return;
    state.current.lastSent = next;
    state.current.pending.push(next);
    latest.current(next);
  }

  function sendLater(next: string) {
    state.current.cancel();
    state.current.cancel = browserClock.after(pauseMs, () => send(next));
  }

  return {
    text,
    set(next: string) {
      setText(next);
      send(next);
    },
    field: {
      value: text,
      onChange(event: { target: { value: string } }) {
        setText(event.target.value);
        if (!state.current.composing) sendLater(event.target.value);
      },
      onCompositionStart() {
        state.current.composing = true;
        state.current.cancel();
      },
      onCompositionEnd(event: CompositionEvent<HTMLInputElement>) {
        state.current.composing = false;
        sendLater(event.currentTarget.value);
      },
      onKeyDown(event: KeyboardEvent<HTMLInputElement>) {
        // Enter and Escape belong to the input method while it composes.
        if (state.current.composing || event.nativeEvent.isComposing) return;
        if (event.key === "Enter") send(text);
        if (event.key === "Escape" && text !== "") {
          event.preventDefault();
          setText("");
          send("");
        }
      },
    },
  };
}
