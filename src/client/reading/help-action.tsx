import type { MouseEvent } from "react";

interface HelpActionProps {
  label: string;
  onClick: (event: MouseEvent) => void;
}

/** A button within a sentence that helps. */
export const HelpAction = ({ label, onClick }: HelpActionProps) => (
  <>
    {" "}
    <button
      type="button"
      onClick={onClick}
      className="touch-reach relative whitespace-nowrap underline underline-offset-3 hover:text-ink"
    >
      {label}
    </button>
  </>
);
