import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { Button } from "#client/ui/button.tsx";
import { Spinner } from "#client/ui/loading.tsx";
import { PlainPage } from "#client/ui/page.tsx";
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
    <PlainPage
      title={title}
      text={
        <>
          {lead ? <p className="font-medium text-ink">{lead}</p> : null}
          <p>{text}</p>
        </>
      }
      role={isError ? "alert" : "status"}
    >
      {children}
    </PlainPage>
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
