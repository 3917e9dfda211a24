import { useEffect, useRef, useState } from "react";

interface NameFieldProps {
  label: string;
  /** As it is called now; empty for something new. */
  name: string;
  placeholder?: string;
  maxLength: number;
  /** The trimmed name; null when it is to stay as it is. `back`: by a key, so the focus stays in the tree. */
  onDone: (name: string | null, back: boolean) => void;
}

/** A name in place. Enter or leaving it commits, Escape does not. */
export function NameField({ label, name, placeholder, maxLength, onDone }: NameFieldProps) {
  const [text, setText] = useState(name);
  const field = useRef<HTMLInputElement>(null);
  const done = useRef(false);
  // A menu that closes gives the focus back to its button: that is nobody who leaves the field.
  const touched = useRef(false);
  useEffect(() => {
    field.current?.focus();
    field.current?.select();
    const touch = () => {
      touched.current = true;
    };
    const kinds = ["pointerdown", "keydown", "input"] as const;
    for (const kind of kinds) window.addEventListener(kind, touch, { capture: true });
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, touch, { capture: true });
    };
  }, []);

  function leave() {
    if (touched.current) end(true, false);
    else requestAnimationFrame(() => field.current?.focus());
  }

  function end(commit: boolean, back: boolean) {
    // Leaving the page takes the field away, and that is a blur too.
    if (done.current) return;
    done.current = true;
    const typed = text.trim();
    onDone(commit && typed !== "" && typed !== name ? typed : null, back);
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
      onBlur={leave}
      onKeyDown={(event) => {
        // The keys of the tree and of the page are not for somebody who types.
        event.stopPropagation();
        if (event.nativeEvent.isComposing) return;
        if (event.key === "Enter") end(true, true);
        if (event.key !== "Escape") return;
        event.preventDefault();
        end(false, true);
      }}
      className="-my-1 -ml-1.5 min-w-0 flex-1 rounded-s border border-rule-strong bg-sheet px-1.5 py-0.5 text-ink text-sm pointer-coarse:py-2"
    />
  );
}
