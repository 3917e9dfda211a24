import { Combobox as Base } from "@base-ui/react/combobox";
import { Check, ChevronDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { keepShortcuts } from "./select-popup.tsx";

export interface SearchOption {
  value: string;
  label: string;
  /** Shown behind the label: the same in another language, with its BCP 47 tag. */
  alias?: { text: string; tag: string };
  /** Shown below the label. */
  note?: string;
  /** Found by these words too. */
  words?: string;
  isDisabled?: boolean;
}

export interface SearchSelectProps {
  label: string;
  /** What is chosen, as its button shows it. */
  text: string;
  value: string;
  options: readonly SearchOption[];
  onChange: (value: string) => void;
  className: string;
  messages: { search: string; noResult: string };
}

/** A choice of one among many, with a field that searches them. Like `SelectPopup` it starts open. */
export default function SearchSelect(props: SearchSelectProps) {
  const { label, text, value, options, onChange, className, messages } = props;
  const { contains } = Base.useFilter({ sensitivity: "base" });
  const popup = useRef<HTMLDivElement>(null);
  // Not at once: it then begins at what is chosen.
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(true), []);
  return (
    <Base.Root
      open={isOpen}
      onOpenChange={setOpen}
      autoHighlight
      items={options}
      value={options.find((option) => option.value === value) ?? null}
      isItemEqualToValue={(one, other) => one.value === other.value}
      filter={({ label, alias, words }: SearchOption, query) =>
        contains(`${label} ${alias?.text ?? ""} ${words ?? ""}`, query)
      }
      onValueChange={(option) => {
        if (option !== null) onChange(option.value);
      }}
    >
      <Base.Trigger aria-label={label} onKeyDown={keepShortcuts} className={className}>
        <span className="truncate">{text}</span>
        <ChevronDown className="size-3.5 shrink-0 text-ink-3" />
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" className="z-25 outline-none">
          <Base.Popup
            ref={popup}
            aria-label={label}
            // In the field, a finger's choice would begin with a keyboard over the list.
            initialFocus={() => !matchMedia("(pointer: coarse)").matches || popup.current}
            className="flex max-h-[min(var(--available-height),30rem)] w-72 max-w-(--available-width) flex-col rounded-m border border-rule bg-sheet text-ink shadow-sheet outline-none transition-opacity duration-150 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <Base.Input
              aria-label={messages.search}
              placeholder={messages.search}
              className="touch-target h-10 w-full shrink-0 rounded-t-m border-rule border-b bg-transparent px-3.5 text-base outline-none placeholder:text-ink-3"
            />
            <Base.Empty>
              <p className="px-3.5 py-3 text-ink-3 text-sm">{messages.noResult}</p>
            </Base.Empty>
            <Base.List className="min-h-0 scroll-py-1 overflow-y-auto overscroll-contain p-1 outline-none data-empty:p-0">
              {(option: SearchOption) => <Item key={option.value} option={option} />}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

function Item({ option }: { option: SearchOption }) {
  const { label, alias, note, isDisabled = false } = option;
  return (
    <Base.Item
      value={option}
      disabled={isDisabled}
      className="touch-target grid select-none grid-cols-[1rem_1fr] items-center gap-x-2 rounded-s px-2.5 py-1.5 text-ink-2 outline-none data-highlighted:bg-paper-3 data-disabled:text-ink-3 data-highlighted:text-ink data-selected:text-ink"
    >
      <Base.ItemIndicator className="text-ink">
        <Check className="size-4" />
      </Base.ItemIndicator>
      <span className="col-start-2 flex min-w-0 items-baseline gap-2">
        {label}
        {alias ? (
          <bdi lang={alias.tag} className="truncate text-ink-3 text-sm">
            {alias.text}
          </bdi>
        ) : null}
      </span>
      {note ? <span className="col-start-2 text-pretty text-ink-3 text-sm">{note}</span> : null}
    </Base.Item>
  );
}
