import type { LucideIcon } from "lucide-react";

interface RowToolProps {
  icon: LucideIcon;
  iconClass?: string;
  label: string;
  /** In place of `label` where the tools stand closer together. */
  shortLabel?: string;
  /** In place of the label, for screen readers and under the pointer. */
  name?: string;
  "aria-busy"?: boolean;
  "data-add-note"?: number;
  onClick: () => void;
}

/** A button in the toolbar of a touched row. */
export const RowTool = ({
  icon: Icon,
  iconClass = "",
  label,
  shortLabel,
  name,
  ...rest
}: RowToolProps) => (
  <button
    {...rest}
    type="button"
    aria-label={name ?? (shortLabel === undefined ? undefined : label)}
    title={name}
    className="touch-target inline-flex min-h-9 min-w-0 items-center justify-center gap-1.75 whitespace-nowrap rounded-s px-2.5 font-medium text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3"
  >
    <Icon className={`size-4 text-ink-2 ${iconClass}`} />
    {shortLabel === undefined ? (
      label
    ) : (
      <>
        <span className="max-columns:hidden">{label}</span>
        <span className="columns:hidden">{shortLabel}</span>
      </>
    )}
  </button>
);
