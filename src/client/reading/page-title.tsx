import type { ReactNode } from "react";

interface PageTitleProps {
  title: string;
  /** `English → language`; null without a translation. */
  pair: string | null;
  /** The second of them. */
  language: string | null;
  status: ReactNode;
}

/** The panel's name and its two languages, and the status where there is one. */
export function PageTitle({ title, pair, language, status }: PageTitleProps) {
  return (
    <div className="flex min-w-0 items-center gap-2.5 font-ui">
      {/* On a phone there is only room for one language, or for the status. */}
      <h2 className={`font-semibold text-ink-2 ${status || pair ? "max-sm:sr-only" : ""}`}>
        {title}
      </h2>
      <span className={`min-w-0 truncate font-normal ${status ? "max-book:hidden" : ""}`}>
        <span className="max-sm:hidden">{pair}</span>
        <span className="sm:hidden">{language}</span>
      </span>
      {status ? <div className="shrink-0 book:ml-3">{status}</div> : null}
    </div>
  );
}
