import type { MouseEvent } from "react";
import { useSentenceSpace } from "#client/i18n/sentence-space.ts";

interface HelpActionProps {
  label: string;
  onClick: (event: MouseEvent) => void;
}

/** A button within a sentence that helps. */
export const HelpAction = ({ label, onClick }: HelpActionProps) => (
  <>
    {useSentenceSpace()}
    <button
      type="button"
      onClick={onClick}
      className="touch-reach relative mr-2 whitespace-nowrap last:mr-0 underline underline-offset-3 hover:text-ink"
    >
      {label}
    </button>
  </>
);
