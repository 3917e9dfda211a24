import { ChevronDown } from "lucide-react";
import { lazy, Suspense } from "react";
import { useLazyPopup } from "#client/lib/lazy.tsx";
import { type SelectProps, selectClass } from "./select-props.ts";

const loadPopup = () => import("./select-popup.tsx");
const SelectPopup = lazy(loadPopup);

/** A choice of one. The list is loaded when it is first opened. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, options, onChange, className = "" } = props;
  const { isLoaded, show, buttonProps } = useLazyPopup(loadPopup);
  const button = (
    <button
      type="button"
      role="combobox"
      aria-expanded="false"
      aria-haspopup="listbox"
      aria-label={label}
      {...buttonProps}
      onKeyDown={(event) => {
        if (event.key === "ArrowDown" || event.key === "ArrowUp") show();
      }}
      className={`${selectClass} ${className}`}
    >
      <span className="truncate">{options.find((option) => option.value === value)?.label}</span>
      <ChevronDown className="size-3.5 text-ink-3" aria-hidden="true" />
    </button>
  );
  if (!isLoaded) return button;
  return (
    <Suspense fallback={button}>
      <SelectPopup
        label={label}
        value={value}
        options={options}
        className={className}
        onChange={(next) => {
          const option = options.find(({ value }) => value === next);
          if (option) onChange(option.value);
        }}
      />
    </Suspense>
  );
}
