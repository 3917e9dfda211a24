import { type ComponentProps, useId } from "react";
import { useFieldError } from "./form.tsx";

export const inputClass =
  "w-full rounded-m border border-rule-control bg-sheet px-3.5 py-2.5 text-ink text-md transition-colors duration-150 ease-quiet hover:border-rule-strong disabled:cursor-not-allowed disabled:opacity-60 aria-invalid:border-warn";

type TextFieldProps = ComponentProps<"input"> & {
  label: string;
  /** Below the field; announced with it. An error of the form takes its place. */
  hint?: string;
};

export function TextField({ label, hint, className = "", ...rest }: TextFieldProps) {
  const id = useId();
  const error = useFieldError(rest.name);
  return (
    <div className={`grid gap-1.5 ${className}`}>
      <label htmlFor={id} className="font-medium text-ink-2 text-sm">
        {label}
      </label>
      <input
        {...rest}
        id={id}
        aria-invalid={error ? true : undefined}
        aria-describedby={error || hint ? `${id}-note` : undefined}
        className={inputClass}
      />
      {error ? (
        <span id={`${id}-note`} className="flex gap-1.5 font-medium text-xs">
          <span
            aria-hidden="true"
            className="mt-px grid size-4 shrink-0 place-items-center rounded-full bg-warn font-bold text-paper"
          >
            !
          </span>
          {error}
        </span>
      ) : hint ? (
        <span id={`${id}-note`} className="text-ink-3 text-xs tabular">
          {hint}
        </span>
      ) : null}
    </div>
  );
}
