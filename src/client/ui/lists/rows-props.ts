import type { ReactNode } from "react";

export interface RowListProps {
  /** What it lists. Sizes are remembered under it, so that coming back finds the same place. */
  name: string;
  label: string;
  count: number;
  /** How many there are in all, loaded or not; null where nobody knows. */
  total: number | null;
  getKey: (index: number) => string;
  /** Height of a row before it was measured, px. */
  estimatedHeight: number;
  /** The last rows are near. Called again while they are. */
  onNearEnd: () => void;
  renderRow: (index: number) => ReactNode;
}
