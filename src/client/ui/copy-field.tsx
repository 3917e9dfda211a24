import { Copy } from "lucide-react";
import { copyText } from "#client/lib/notifications.ts";
import { Button } from "./button.tsx";
import { inputClass } from "./text-field.tsx";

interface CopyFieldProps {
  label: string;
  value: string;
  /** Of the button. */
  look?: "plain" | "ink";
  copyLabel: string;
  /** Said when it was copied, and title and text where it was not. */
  copied: string;
  failed: [title: string, text: string];
}

/** A text that is there to be copied, such as a link. */
export function CopyField(props: CopyFieldProps) {
  const { label, value, look = "plain", copyLabel, copied, failed } = props;
  return (
    <div className="flex gap-2 justify-self-stretch">
      <input
        readOnly
        aria-label={label}
        value={value}
        dir="ltr"
        onFocus={(event) => event.target.select()}
        className={`${inputClass} min-w-0 truncate`}
      />
      <Button look={look} onClick={() => void copyText(value, copied, failed)} className="h-auto">
        <Copy className="size-4" />
        {copyLabel}
      </Button>
    </div>
  );
}
