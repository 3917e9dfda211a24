export interface SelectProps<T extends string> {
  label: string;
  value: T;
  options: readonly { value: T; label: string }[];
  onChange: (value: T) => void;
  className?: string;
}

export const selectClass =
  "touch-target flex h-9 min-w-0 select-none items-center gap-2 rounded-m border border-rule-control bg-sheet px-3 text-ink text-sm transition-colors duration-150 ease-quiet hover:bg-paper-3";
