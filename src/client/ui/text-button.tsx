import type { ComponentProps, MouseEvent } from "react";
import { useSentenceSpace } from "#client/i18n/bundle.ts";

/** A button among the words of a line. */
export const TextButton = ({ className = "", ...rest }: ComponentProps<"button">) => (
  <button
    {...rest}
    type="button"
    className={`touch-reach relative shrink-0 underline underline-offset-3 ${className}`}
  />
);

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
