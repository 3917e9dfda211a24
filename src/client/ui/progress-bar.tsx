import type { ComponentProps } from "react";

/** How much of some work is done. Unnamed it is decorative, beside a text that says the same. */
export const ProgressBar = ({
  label,
  ...rest
}: ComponentProps<"progress"> & { label?: string }) => (
  <progress
    aria-label={label}
    aria-hidden={label === undefined}
    className="h-1.5 w-full appearance-none overflow-hidden rounded-full bg-rule [&::-moz-progress-bar]:bg-ink [&::-webkit-progress-bar]:bg-rule [&::-webkit-progress-value]:bg-ink"
    {...rest}
  />
);
