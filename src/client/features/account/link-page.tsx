import { useNavigate } from "@tanstack/react-router";
import { type ReactNode, useEffect } from "react";
import { Button } from "#client/ui/button.tsx";
import { Spinner } from "#client/ui/loading.tsx";
import { PlainPage } from "#client/ui/page.tsx";
import { useT } from "./link-messages/index.ts";
import type { LinkFailure } from "./use-mail-link.ts";

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
  return <PlainPage role="status" title={title} text={text} />;
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
      <PlainPage role="alert" title={t(`${subject}.error`)} text={failure.text}>
        <Button look="ink" onClick={onRetry}>
          {t("common.retry")}
        </Button>
      </PlainPage>
    );
  const isExpired = failure.phase === "expired";
  return (
    <PlainPage
      role="alert"
      title={t(isExpired ? "link.expired" : `${subject}.error`)}
      text={t(isExpired ? `${subject}.expiredText` : `${subject}.errorText`)}
    >
      {children}
    </PlainPage>
  );
}
