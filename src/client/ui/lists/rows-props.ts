import type { ReactNode } from "react";

export interface RowsProps {
  /** What it lists. Sizes are remembered under it, so that coming back finds the same place. */
  name: string;
  label: string;
  count: number;
  /** How many there are in all, loaded or not; null where nobody knows. */
  total: number | null;
  keyOf: (index: number) => string;
  /** Height of a row before it was measured, px. */
  estimate: number;
  /** The last rows are near. Called again while they are. */
  onNearEnd: () => void;
  row: (index: number) => ReactNode;
}
