import { AudioLines } from "lucide-react";
import { useDemoTexts } from "#client/i18n/demo-texts.ts";

/** The sentence that marks text of the demo voice. */
export function DemoMark({ className = "" }: { className?: string }) {
  const { mark } = useDemoTexts();
  return (
    <p
      role="note"
      data-demo-mark
      className={`flex items-start gap-2 rounded-s border border-rule-strong bg-paper-2 px-2.5 py-1.5 font-[550] font-ui text-ink text-xs leading-4 ${className}`}
    >
      <AudioLines className="size-4 shrink-0 text-warn" />
      {mark}
    </p>
  );
}
