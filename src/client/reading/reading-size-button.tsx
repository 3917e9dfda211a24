import { AArrowDown, AArrowUp } from "lucide-react";
import { useValue } from "#client/lib/signal.ts";
import { changeReadingSize, getNextSize, readingSize } from "#client/state/preferences.ts";
import { IconButton } from "#client/ui/button.tsx";
import { useT } from "./dialog-messages/index.ts";

/** Makes the text one step larger (1) or smaller (-1). */
export function ReadingSizeButton({ step, className }: { step: 1 | -1; className?: string }) {
  const t = useT();
  const size = useValue(readingSize);
  const Icon = step === 1 ? AArrowUp : AArrowDown;
  return (
    <IconButton
      label={t(step === 1 ? "reading.textLarger" : "reading.textSmaller")}
      disabled={getNextSize(size, step) === null}
      onClick={() => changeReadingSize(step)}
      {...(className && { className })}
    >
      <Icon className="size-4.5" aria-hidden="true" />
    </IconButton>
  );
}
