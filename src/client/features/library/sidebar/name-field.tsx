import { useEffect, useRef, useState } from "react";
import { listen } from "#client/lib/listen.ts";

export interface NameFieldProps {
  label: string;
  /** The current name; empty for a new folder. */
  name: string;
  placeholder?: string;
  maxLength: number;
  /** The trimmed name; null if it is unchanged. `returnFocus`: ended by a key, so the focus goes back to the tree. */
  onDone: (name: string | null, returnFocus: boolean) => void;
}

/** Edits a name in place. Enter or blur commits, Escape cancels. */
export function NameField({ label, name, placeholder, maxLength, onDone }: NameFieldProps) {
  // Another device may change it meanwhile.
  const [nameBefore] = useState(name);
  const [text, setText] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  // A menu that closes moves the focus to its button. Without user input before, such a blur does not commit.
  const hasInput = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    const handleInput = () => {
      hasInput.current = true;
    };
    return listen(window, ["pointerdown", "keydown", "input"], handleInput, { capture: true });
  }, []);

  function handleBlur() {
    if (hasInput.current) finish(true, false);
    else requestAnimationFrame(() => field.current?.focus());
  }

  function finish(commit: boolean, returnFocus: boolean) {
    // Unmounting the field fires a blur, too.
    if (done.current) return;
    done.current = true;
    const newName = text.trim();
    onDone(commit && newName !== "" && newName !== nameBefore ? newName : null, returnFocus);
  }

  return (
    <input
      ref={field}
      aria-label={label}
      dir="auto"
      value={text}
      placeholder={placeholder}
      maxLength={Math.max(maxLength, name.length)}
      autoComplete="off"
      onChange={(event) => setText(event.target.value)}
      onBlur={handleBlur}
      onKeyDown={(event) => {
        // Keys typed here are no shortcuts of the tree or the page.
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") finish(true, true);
        if (event.key !== "Escape") return;
        event.preventDefault();
        finish(false, true);
      }}
      className="-my-1 -ml-1.5 min-w-0 flex-1 rounded-s border border-rule-strong bg-sheet px-1.5 py-0.5 text-ink text-sm pointer-coarse:py-2"
    />
  );
}
