import type { MouseEvent } from "react";
import { useSentenceSpace } from "#client/i18n/sentence-space.ts";
import { TextButton } from "#client/ui/text-button.tsx";

interface HelpActionProps {
  label: string;
  onClick: (event: MouseEvent) => void;
}

/** A button within a sentence that helps. */
export const HelpAction = ({ label, onClick }: HelpActionProps) => (
  <>
    {useSentenceSpace()}
    <TextButton onClick={onClick} className="mr-2 whitespace-nowrap last:mr-0 hover:text-ink">
      {label}
    </TextButton>
  </>
);
