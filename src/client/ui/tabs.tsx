import { type KeyboardEvent, type ReactNode, useId, useRef } from "react";

interface TabsProps<T extends string> {
  label: string;
  value: T;
  onChange: (value: T) => void;
  tabs: readonly { value: T; label: string; panel: ReactNode }[];
  /** `even`: the tabs share the whole width. */
  width?: "even" | "content";
  /** The panel fills the remaining height of the parent and has margins of its own. */
  fill?: boolean;
  disabled?: boolean;
}

function getTargetIndex(key: string, index: number, count: number): number | null {
  switch (key) {
    case "ArrowRight":
      return (index + 1) % count;
    case "ArrowLeft":
      return (index + count - 1) % count;
    case "Home":
      return 0;
    case "End":
      return count - 1;
    default:
      return null;
  }
}

/** ARIA tabs. Written by hand, because Base UI's would be a tenth of the first page's script. */
export function Tabs<T extends string>({ fill = false, ...list }: TabsProps<T>) {
  const id = useId();
  const chosen = list.tabs.find((tab) => tab.value === list.value);
  return (
    <div className={fill ? "grid h-full min-h-0 grid-rows-[auto_minmax(0,1fr)]" : undefined}>
      <TabList {...list} id={id} />
      {chosen ? (
        <div
          key={chosen.value}
          role="tabpanel"
          id={getPanelId(id, chosen.value)}
          aria-labelledby={getTabId(id, chosen.value)}
          className={fill ? "min-h-0" : "pt-6"}
        >
          {chosen.panel}
        </div>
      ) : null}
    </div>
  );
}

export const getTabId = (id: string, value: string): string => `${id}-${value}`;
export const getPanelId = (id: string, value: string): string => `${id}-${value}-panel`;

interface TabListProps<T extends string> extends Omit<TabsProps<T>, "tabs" | "fill"> {
  /** Of the ids of its tabs and of their panels: see `getTabId` and `getPanelId`. */
  id: string;
  tabs: readonly { value: T; label: string }[];
  className?: string;
}

/** The tabs alone. Only the panel of the chosen one needs to exist. */
export function TabList<T extends string>({
  id,
  label,
  value,
  onChange,
  tabs,
  width = "content",
  disabled = false,
  className = "",
}: TabListProps<T>) {
  const list = useRef<HTMLDivElement>(null);

  function press(event: KeyboardEvent, index: number) {
    const next = getTargetIndex(event.key, index, tabs.length);
    const tab = next === null ? undefined : tabs[next];
    if (next === null || !tab) return;
    event.preventDefault();
    onChange(tab.value);
    list.current?.querySelectorAll<HTMLElement>("[role=tab]")[next]?.focus();
  }

  return (
    <div
      ref={list}
      role="tablist"
      aria-label={label}
      className={`flex border-rule border-b ${width === "even" ? "*:flex-1" : "gap-6"} ${className}`}
    >
      {tabs.map((tab, index) => (
        <button
          key={tab.value}
          type="button"
          role="tab"
          id={getTabId(id, tab.value)}
          aria-selected={tab.value === value}
          aria-controls={getPanelId(id, tab.value)}
          tabIndex={tab.value === value ? 0 : -1}
          disabled={disabled}
          onClick={() => onChange(tab.value)}
          onKeyDown={(event) => press(event, index)}
          className="touch-target -mb-px whitespace-nowrap border-transparent border-b-2 py-2.5 text-ink-2 text-md transition-colors duration-150 ease-quiet hover:text-ink aria-selected:border-ink aria-selected:font-semibold aria-selected:text-ink"
        >
          {tab.label}
        </button>
      ))}
    </div>
  );
}
