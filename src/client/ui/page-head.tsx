import type { ReactNode } from "react";

interface PageHeadProps {
  title: string;
  /** A button at the right edge. */
  action?: ReactNode;
  /** Below the title. */
  children?: ReactNode;
}

/** A page's heading, with its main action. */
export function PageHead({ title, action, children }: PageHeadProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-end gap-x-4 gap-y-1.5 max-sm:items-center max-sm:gap-x-2">
      <h1 className="text-balance font-semibold text-2xl tracking-tight">{title}</h1>
      {action ? <div className="row-span-2 max-sm:row-span-1">{action}</div> : null}
      {children ? (
        <div className="col-start-1 min-w-0 text-ink-3 max-sm:col-span-2">{children}</div>
      ) : null}
    </div>
  );
}
