import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";
import { notifyLoadFailure } from "#client/lib/lazy.tsx";
import { type SelectProps, selectClass } from "./select-props.ts";

const loadPopup = () => import("./select-popup.tsx");
const SelectPopup = lazy(loadPopup);

// Whoever does not click need not hear of a failure.
const preload = () => void loadPopup().catch(() => {});

/** A choice of one. The list is loaded when somebody wants to see it. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, options, onChange, className = "" } = props;
  const [wanted, setWanted] = useState(false);
  const show = () => void loadPopup().then(() => setWanted(true), notifyLoadFailure);
  const closed = (
    <button
      type="button"
      role="combobox"
      aria-expanded="false"
      aria-haspopup="listbox"
      aria-label={label}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={show}
      onKeyDown={(event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") show();
      }}
      className={`${selectClass} ${className}`}
    >
      <span className="truncate">{options.find((option) => option.value === value)?.label}</span>
      <ChevronDown className="size-3.5 text-ink-3" aria-hidden="true" />
    </button>
  );
  if (!wanted) return closed;
  return (
    <Suspense fallback={closed}>
      <SelectPopup
        label={label}
        value={value}
        options={options}
        className={className}
        onChange={(next) => {
          const chosen = options.find((option) => option.value === next);
          if (chosen) onChange(chosen.value);
        }}
      />
    </Suspense>
  );
}
