import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";

interface TabsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  tabs: readonly { value: T; label: string; panel: ReactNode }[];
  /** `even`: the tabs share the whole width. */
  width?: "even" | "content";
  disabled?: boolean;
}

export function Tabs<T extends string>({
  label,
  value,
  onChange,
  tabs,
  width = "content",
  disabled = false,
}: TabsProps<T>) {
  return (
    <Base.Root value={value} onValueChange={(next: T) => onChange(next)}>
      <Base.List
        aria-label={label}
        className={`flex border-rule border-b ${width === "even" ? "*:flex-1" : "gap-6"}`}
      >
        {tabs.map((tab) => (
          <Base.Tab
            key={tab.value}
            value={tab.value}
            disabled={disabled}
            className="touch-target -mb-px whitespace-nowrap border-transparent border-b-2 py-2.5 text-ink-3 text-md transition-colors duration-150 ease-quiet hover:text-ink data-active:border-seal data-active:font-semibold data-active:text-ink"
          >
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.value} value={tab.value} className="pt-6 outline-offset-8">
          {tab.panel}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
