import type { ComponentProps } from "react";

/** A button among the words of a line. */
export const TextButton = ({ className = "", ...rest }: ComponentProps<"button">) => (
  <button
    {...rest}
    type="button"
    className={`touch-reach relative shrink-0 underline underline-offset-3 ${className}`}
  />
);
