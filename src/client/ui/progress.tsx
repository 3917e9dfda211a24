import type { ComponentProps } from "react";

interface UsageMeterProps {
  /** Id of its label. */
  labelledBy: string;
  text: string;
  percent: number;
}

/** The used part of an allowance. */
export const UsageMeter = ({ labelledBy, text, percent }: UsageMeterProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a <meter> cannot be styled in every browser
  <div
    role="meter"
    aria-labelledby={labelledBy}
    aria-valuemin={0}
    aria-valuemax={100}
    aria-valuenow={percent}
    aria-valuetext={text}
    className="h-2 overflow-hidden rounded-full bg-paper-3"
  >
    <div
      className={`h-full rounded-full ${percent >= 100 ? "bg-warn" : "bg-jade"}`}
      style={{ width: `${percent}%` }}
    />
  </div>
);

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
