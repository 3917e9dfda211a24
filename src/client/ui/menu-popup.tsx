import { Menu as Base } from "@base-ui/react/menu";
import { useState } from "react";
import { MenuEntries, type MenuEntry, type MenuProps } from "./menu-entries.tsx";

/** The menu itself. It is loaded by the first click on its button, so it starts open. */
export default function MenuPopup({ trigger, heading, entries }: MenuProps) {
  const [chosen, setChosen] = useState<MenuEntry | null>(null);
  return (
    <Base.Root
      defaultOpen
      onOpenChange={(open) => {
        if (open) setChosen(null);
      }}
    >
      <Base.Trigger render={<button {...trigger} type="button" />} />
      <Base.Portal>
        <Base.Positioner sideOffset={6} align="end" className="z-25 outline-none">
          <Base.Popup
            // Not a function: that would take the focus from a dialog that the entry has opened.
            finalFocus={chosen?.focus ?? true}
            className="max-h-(--available-height) min-w-52 overflow-y-auto rounded-m border border-rule bg-sheet p-1 text-ink shadow-sheet outline-none transition-opacity duration-150 ease-quiet data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            <MenuEntries
              heading={heading}
              entries={entries}
              onChoose={(entry) => {
                setChosen(entry);
                entry.run();
              }}
            />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
