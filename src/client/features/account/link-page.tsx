import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { LanguageSwitch } from "#client/i18n/language-switch.tsx";
import { Button } from "#client/ui/button.tsx";
import { Spinner } from "#client/ui/loading.tsx";
import { Seal } from "#client/ui/seal.tsx";
import { useT } from "./messages/index.ts";
import type { LinkFailure } from "./use-mail-link.ts";

interface LinkPageProps {
  title: string;
  /** A stronger line above the text. */
  lead?: string;
  text: string;
  /** Announced to screen readers at once. */
  isError?: boolean;
  /** Buttons for the next step. */
  children?: ReactNode;
}

/** A page with one message and what to do about it. */
export function LinkPage({ title, lead, text, isError = false, children }: LinkPageProps) {
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-10">
      <div className="grid w-full max-w-md justify-items-center gap-3 text-center">
        <Seal className="mb-3 size-10" />
        <div role={isError ? "alert" : "status"} className="grid gap-3">
          <h1 className="font-semibold text-2xl tracking-tight">{title}</h1>
          {lead ? <p className="font-medium text-md">{lead}</p> : null}
          <p className="text-balance text-ink-2 text-md wrap-anywhere">{text}</p>
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
    <main className="grid min-h-dvh place-items-center">
      <Spinner label={label} />
    </main>
  );
}

interface LinkSuccessProps {
  title: string;
  text: string;
  /** The page that is opened after `delayMs`. */
  next: "/" | "/auth";
  delayMs: number;
}

export function LinkSuccess({ title, text, next, delayMs }: LinkSuccessProps) {
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => void navigate({ to: next }), delayMs);
    return () => clearTimeout(timer);
  }, [navigate, next, delayMs]);
  return <LinkPage title={title} text={text} />;
}

interface LinkFailedProps {
  failure: LinkFailure;
  /** Whose messages are shown. */
  subject: "confirmation" | "reset";
  onRetry: () => void;
  /** Buttons that request another link. */
  children: ReactNode;
}

export function LinkFailed({ failure, subject, onRetry, children }: LinkFailedProps) {
  const t = useT();
  if (failure.phase === "unclear")
    return (
      <LinkPage isError title={t(`${subject}.error`)} text={failure.text}>
        <Button look="ink" onClick={onRetry}>
          {t("common.retry")}
        </Button>
      </LinkPage>
    );
  const isExpired = failure.phase === "expired";
  return (
    <LinkPage
      isError
      title={t(isExpired ? "link.expired" : `${subject}.error`)}
      text={t(isExpired ? `${subject}.expiredText` : `${subject}.errorText`)}
    >
      {children}
    </LinkPage>
  );
}
