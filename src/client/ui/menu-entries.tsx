import { Menu as Base } from "@base-ui/react/menu";
import { Check, type LucideIcon } from "lucide-react";
import { type ComponentProps, Fragment, type RefObject } from "react";

export interface MenuEntry {
  key: string;
  icon?: LucideIcon;
  label: string;
  /** Of the label, if it is not the interface's language. */
  lang?: string;
  run: () => void;
  destructive?: boolean;
  /** The first of some that belong together. */
  startsGroup?: boolean;
  /** It is one of several, or on or off. */
  choice?: { kind: "radio" | "checkbox"; isChosen: boolean };
  /** Takes the focus after the entry was chosen; by default the button does. */
  focus?: RefObject<HTMLElement | null>;
}

export interface MenuProps {
  trigger: ComponentProps<"button">;
  /** Names who or what the menu belongs to. */
  heading: string;
  entries: readonly MenuEntry[];
}

interface MenuEntriesProps {
  heading: string;
  entries: readonly MenuEntry[];
  /** The element of the first entry. */
  first?: RefObject<HTMLElement | null>;
  onChoose: (entry: MenuEntry) => void;
}

/** What an open menu contains. */
export function MenuEntries({ heading, entries, first, onChoose }: MenuEntriesProps) {
  return (
    <>
      <div className="mb-1 max-w-64 truncate border-rule border-b px-3 pt-1.5 pb-2.5 text-ink-3 text-sm">
        {heading}
      </div>
      {entries.map((entry, index) => (
        <Fragment key={entry.key}>
          {entry.startsGroup && index > 0 ? <Base.Separator className="my-1 h-px bg-rule" /> : null}
          <Base.Item
            ref={index === 0 ? first : undefined}
            {...(entry.choice && {
              role: `menuitem${entry.choice.kind}`,
              "aria-checked": entry.choice.isChosen,
            })}
            onClick={() => onChoose(entry)}
            className={`touch-target flex select-none items-center gap-2.5 rounded-s px-3 py-2 outline-none ${entry.destructive ? "text-seal-text data-highlighted:bg-seal-wash" : "text-ink-2 data-highlighted:bg-paper-3 data-highlighted:text-ink"}`}
          >
            {entry.choice?.isChosen ? (
              <Check className="size-4" aria-hidden="true" />
            ) : entry.icon ? (
              <entry.icon className="size-4" aria-hidden="true" />
            ) : (
              <span className="size-4" />
            )}
            <span lang={entry.lang}>{entry.label}</span>
          </Base.Item>
        </Fragment>
      ))}
    </>
  );
}
