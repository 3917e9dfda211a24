import type { ReactNode } from "react";
import { useT } from "#client/i18n/index.ts";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { Seal } from "./seal.tsx";

/** Of the page's children, not of the page: print.css needs the printed page to be one of them. */
const measures = {
  reading: "*:max-w-reading",
  wide: "",
  question: "*:mx-auto *:max-w-[43.5rem]",
} as const;

interface PageMainProps {
  /** `reading` for text and forms, `wide` for lists and tables: both begin at the same left edge. `question`: in the middle. */
  measure: keyof typeof measures;
  children: ReactNode;
}

/** The content of a page that scrolls with the window. */
export function PageMain({ measure, children }: PageMainProps) {
  return (
    <main id="content" className={`page-frame pt-6 pb-20 max-sm:pt-3 ${measures[measure]}`}>
      {children}
    </main>
  );
}

interface PlainPageProps {
  title: string;
  text: ReactNode;
  /** How the message is announced to screen readers. */
  role?: "alert" | "status";
  /** What to do next. */
  children?: ReactNode;
}

/** A page with one message, for everybody: no account is known. */
export function PlainPage({ title, text, role, children }: PlainPageProps) {
  const t = useT();
  return (
    <>
      <header className="page-frame flex h-14 items-center justify-between">
        <div className="flex items-center gap-2.5">
          <Seal />
          <b className="font-semibold text-lg leading-none tracking-tight">{t("brand.name")}</b>
        </div>
        <LanguageSwitch />
      </header>
      <PageMain measure="reading">
        <div role={role} className="grid gap-3">
          <h1 className="text-balance font-semibold text-2xl tracking-tight">{title}</h1>
          <div className="grid max-w-[52ch] gap-3 text-ink-2 text-md wrap-anywhere">{text}</div>
        </div>
        {children ? <div className="mt-6 flex flex-wrap gap-2">{children}</div> : null}
      </PageMain>
    </>
  );
}
