import type { ReactNode } from "react";

interface SettingsSectionProps {
  /** As the page's list of sections names it. */
  id: string;
  title: string;
  children: ReactNode;
}

/** A part of the settings with a heading. */
export const SettingsSection = ({ id, title, children }: SettingsSectionProps) => (
  <section
    aria-labelledby={`${id}-title`}
    id={id}
    className="grid scroll-mt-4 max-book:scroll-mt-14 grid-cols-[minmax(0,1fr)] gap-5 border-rule pt-6 pb-8 not-first:border-t first:pt-1"
  >
    <h2 id={`${id}-title`} className="font-semibold text-lg">
      {title}
    </h2>
    {children}
  </section>
);

interface SettingsRowProps {
  title: ReactNode;
  text?: string;
  /** At the right edge. */
  children: ReactNode;
}

/** A line of the settings, with what can be done about it. */
export const SettingsRow = ({ title, text, children }: SettingsRowProps) => (
  <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
    <div className="min-w-0 flex-[1_1_12rem]">
      <h3 className="font-medium wrap-anywhere">{title}</h3>
      {text ? <p className="text-pretty text-ink-3 text-sm">{text}</p> : null}
    </div>
    {children}
  </div>
);
