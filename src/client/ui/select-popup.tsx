import { Select as Base } from "@base-ui/react/select";
import type { BaseUIEvent } from "@base-ui/react/types";
import { Check, ChevronDown } from "lucide-react";
import type { KeyboardEvent } from "react";
import { type SelectProps, selectClass } from "./select-props.ts";

/** The select itself. It is loaded by the first click on its button, so it starts open. */
export default function SelectPopup({
  label,
  value,
  options,
  onChange,
  className = "",
}: SelectProps<string>) {
  return (
    <Base.Root
      defaultOpen
      items={options}
      value={value}
      onValueChange={(next) => {
        if (next !== null) onChange(next);
      }}
    >
      <Base.Trigger
        aria-label={label}
        onKeyDown={keepShortcuts}
        className={`${selectClass} ${className}`}
      >
        <Base.Value className="truncate" />
        <Base.Icon className="text-ink-3">
          <ChevronDown className="size-3.5" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner
          sideOffset={6}
          align="end"
          alignItemWithTrigger={false}
          className="z-25 outline-none"
        >
          <Base.Popup className="max-h-(--available-height) min-w-52 overflow-y-auto rounded-m border border-rule bg-sheet p-1 text-ink shadow-sheet outline-none transition-opacity duration-150 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0">
            <Base.List>
              {options.map((option) => (
                <Base.Item
                  key={option.value}
                  value={option.value}
                  className="touch-target grid select-none grid-cols-[1rem_1fr] items-center gap-2 rounded-s px-2.5 py-1.5 text-ink-2 outline-none data-highlighted:bg-paper-3 data-highlighted:text-ink data-selected:text-ink"
                >
                  <Base.ItemIndicator className="text-ink">
                    <Check className="size-4" />
                  </Base.ItemIndicator>
                  <Base.ItemText className="col-start-2">{option.label}</Base.ItemText>
                </Base.Item>
              ))}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

/** For the button of a list: while the list is closed, letters are shortcuts of the page and must not change the choice. */
export function keepShortcuts(event: BaseUIEvent<KeyboardEvent<Element>>): void {
  const isClosed = event.currentTarget.getAttribute("aria-expanded") !== "true";
  if (isClosed && event.key.length === 1 && event.key !== " ") event.preventBaseUIHandler();
}
