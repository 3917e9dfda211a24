import type { ReactNode } from "react";

interface PageHeadProps {
  title: string;
  text: string;
  /** Shown at the right edge. */
  children?: ReactNode;
}

export function PageHead({ title, text, children }: PageHeadProps) {
  return (
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <div>
        <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
        <p className="mt-1.5 text-pretty text-ink-2">{text}</p>
      </div>
      {children}
    </div>
  );
}
