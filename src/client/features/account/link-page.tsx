import type { ReactNode } from "react";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { Button } from "#client/ui/button.tsx";
import { Seal } from "#client/ui/seal.tsx";
import { Spinner } from "#client/ui/spinner.tsx";
import { useT } from "./messages/index.ts";

interface LinkPageProps {
  title: string;
  /** A stronger line above the text. */
  lead?: string;
  text?: string;
  /** Announced to screen readers at once. */
  isError?: boolean;
  /** Buttons for the next step. */
  children?: ReactNode;
}

/** A page with one message and what to do about it. */
export function LinkPage({ title, lead, text, isError = false, children }: LinkPageProps) {
  return (
    <main className="grid min-h-page place-items-center px-6 py-10">
      <div className="grid w-full max-w-md justify-items-center gap-3 text-center">
        <Seal className="mb-3 size-10" />
        <div role={isError ? "alert" : "status"} className="grid gap-3">
          <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
          {lead ? <p className="font-medium text-md">{lead}</p> : null}
          {text ? <p className="text-balance text-ink-2 text-md wrap-anywhere">{text}</p> : null}
        </div>
        {children ? (
          <div className="mt-4 flex w-full flex-wrap justify-center gap-2">{children}</div>
        ) : null}
        <div className="mt-8">
          <LanguageSwitch />
        </div>
      </div>
    </main>
  );
}

export function LinkLoading({ label }: { label: string }) {
  return (
    <main className="grid min-h-page place-items-center">
      <Spinner label={label} />
    </main>
  );
}

/** The server did not check the link: it can be tried again. */
export function LinkUnresolved({ title, text, onRetry }: LinkUnresolvedProps) {
  const t = useT();
  return (
    <LinkPage isError title={title} text={text}>
      <Button look="ink" onClick={onRetry}>
        {t("common.retry")}
      </Button>
    </LinkPage>
  );
}

interface LinkUnresolvedProps {
  title: string;
  text: string;
  onRetry: () => void;
}
