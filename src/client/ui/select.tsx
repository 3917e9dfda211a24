import { ChevronDown } from "lucide-react";
import { lazy, Suspense, useState } from "react";

const loadPopup = () => import("./select-popup.tsx");
const SelectPopup = lazy(loadPopup);

export interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  className?: string;
}

export const selectClass =
  "touch-target flex h-9 min-w-0 select-none items-center gap-2 rounded-m border border-rule bg-sheet px-3 text-ink-2 text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3 hover:text-ink";

/** A choice of one. The list is loaded when somebody wants to see it. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, options, onChange, className = "" } = props;
  const [wanted, setWanted] = useState(false);
  const closed = (
    <button
      type="button"
      role="combobox"
      aria-expanded="false"
      aria-haspopup="listbox"
      aria-label={label}
      onPointerEnter={loadPopup}
      onFocus={loadPopup}
      onClick={() => setWanted(true)}
      onKeyDown={(event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") setWanted(true);
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
