import { ChevronDown } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useLazyPopup } from "#client/lib/lazy.tsx";
import { type SelectProps, selectClass } from "./select-props.ts";

const loadPopup = () => import("./select-popup.tsx");
const SelectPopup = lazy(loadPopup);

/** A choice of one. The list is loaded when it is first opened. */
export function Select<T extends string>(props: SelectProps<T>) {
  const { label, value, options, onChange, className = "" } = props;
  const text = options.find((option) => option.value === value)?.label ?? "";
  return (
    <LazySelect
      label={label}
      text={text}
      className={`${selectClass} ${className}`}
      load={loadPopup}
    >
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
    </LazySelect>
  );
}

interface LazySelectProps {
  label: string;
  /** What is chosen. */
  text: string;
  className: string;
  /** Why it cannot be changed now. */
  lockedReason?: string | undefined;
  /** Loads the code of `children`. */
  load: () => Promise<unknown>;
  /** The button with its list, open at first, which takes this one's place when it is first pressed. */
  children: ReactNode;
}

export function LazySelect(props: LazySelectProps) {
  const { label, text, className, lockedReason, load, children } = props;
  const isLocked = lockedReason !== undefined;
  const { isLoaded, show, buttonProps } = useLazyPopup(load);
  const button = (
    <button
      type="button"
      role="combobox"
      aria-expanded="false"
      aria-haspopup="listbox"
      aria-label={label}
      aria-disabled={isLocked}
      title={lockedReason}
      {...(isLocked ? {} : buttonProps)}
      onKeyDown={(event) => {
        if (!isLocked && (event.key === "ArrowDown" || event.key === "ArrowUp")) show();
      }}
      className={className}
    >
      <span className="truncate">{text}</span>
      <ChevronDown className="size-3.5 shrink-0 text-ink-3" />
    </button>
  );
  return isLoaded && !isLocked ? <Suspense fallback={button}>{children}</Suspense> : button;
}
