import { type ReactNode, useId } from "react";

interface SegmentsProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: ReactNode; className?: string }[];
  onChange: (value: T) => void;
}

interface LabelledProps {
  label: string;
  className?: string;
  children: ReactNode;
}

/** A control that has a name of its own for assistive technology, with a visible label above it. */
export function Labelled({ label, className = "", children }: LabelledProps) {
  return (
    <div className={`grid min-w-0 gap-1.5 ${className}`}>
      <span aria-hidden="true" className="font-medium text-ink-2 text-sm">
        {label}
      </span>
      {children}
    </div>
  );
}

/** Segments with a visible label above them. */
export function LabelledSegments<T extends string>(props: SegmentsProps<T>) {
  return (
    <Labelled label={props.label}>
      <Segments {...props} />
    </Labelled>
  );
}

/** A choice of one among two or three visible options. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <fieldset className="flex w-fit max-w-full rounded-m border border-rule-control bg-sheet p-0.5 text-sm">
      <legend className="sr-only">{label}</legend>
      {options.map((option) => (
        <label
          key={option.value}
          className={`touch-target relative grid min-w-0 cursor-pointer select-none place-items-center wrap-anywhere rounded-s px-3.5 py-1 text-center transition-colors duration-150 ease-quiet hover:text-ink has-focus-visible:outline-2 has-focus-visible:outline-ink ${option.value === value ? "bg-paper-3 font-[550] text-ink" : "text-ink-2"} ${option.className ?? ""}`}
        >
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="absolute inset-0 cursor-pointer opacity-0"
          />
          {option.label}
        </label>
      ))}
    </fieldset>
  );
}
