import { Switch as Base } from "@base-ui/react/switch";
import { useId } from "react";

interface SwitchProps {
  label: string;
  hint: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, hint, checked, onChange }: SwitchProps) {
  const id = useId();
  return (
    <div className="grid grid-cols-[1fr_auto] items-center gap-x-6 gap-y-1">
      <span id={`${id}-label`} className="font-medium">
        {label}
      </span>
      <Base.Root
        aria-labelledby={`${id}-label`}
        aria-describedby={`${id}-hint`}
        checked={checked}
        onCheckedChange={(next) => onChange(next)}
        className="relative row-span-2 h-6.5 w-11 cursor-pointer rounded-full bg-rule-strong p-0.75 transition-colors duration-150 ease-quiet after:absolute after:-inset-2.5 data-checked:bg-jade"
      >
        <Base.Thumb className="block size-5 rounded-full bg-sheet transition-transform duration-150 ease-quiet data-checked:translate-x-4.5" />
      </Base.Root>
      <span id={`${id}-hint`} className="text-ink-3 text-sm">
        {hint}
      </span>
    </div>
  );
}
