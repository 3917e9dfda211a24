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
