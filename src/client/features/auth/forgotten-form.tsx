import { type ReactNode, useState } from "react";
import { useSentenceSpace } from "#client/i18n/bundle.ts";
import { useT } from "#client/i18n/forms/index.ts";
import { Button } from "#client/ui/button.tsx";
import { type FieldErrors, Form } from "#client/ui/form.tsx";
import { NewTabLink } from "#client/ui/new-tab-link.tsx";
import { EmailField } from "./credentials-form.tsx";

export type ResetRequest =
  | { errors: FieldErrors }
  /** `outboxUrl`: the outbox of mails that are not really sent (development); null where they are sent. */
  | { errors: null; outboxUrl: string | null };

interface ForgottenFormProps {
  /** What was typed in the form before. */
  email?: string;
  busy: boolean;
  /** Below the field. */
  children?: ReactNode;
  onSubmit: (values: unknown) => Promise<ResetRequest | null>;
}

export default function ForgottenForm({ email, busy, children, onSubmit }: ForgottenFormProps) {
  const t = useT();
  const space = useSentenceSpace();
  const [outcome, setOutcome] = useState<ResetRequest | null>(null);

  async function submit(values: unknown) {
    const next = await onSubmit(values);
    setOutcome(next);
    return next ? next.errors : {};
  }

  return (
    <Form busy={busy} onSubmit={submit} className="flex flex-col gap-4.5">
      <div className="grid gap-1">
        <h2 className="font-semibold text-lg tracking-tight">{t("forgotten.title")}</h2>
        <p className="text-ink-2">{t("forgotten.text")}</p>
      </div>
      <EmailField label={t("auth.email")} disabled={busy} defaultValue={email} />
      {outcome && !outcome.errors ? (
        <p role="status" className="text-ink-2">
          {t("forgotten.onItsWay")}
          {space}
          {outcome.outboxUrl ? (
            <NewTabLink href={outcome.outboxUrl} label={t("mail.openOutbox")} />
          ) : null}
        </p>
      ) : null}
      {children}
      <div className="flex justify-end">
        <Button type="submit" look="ink" disabled={busy}>
          {t("forgotten.submit")}
        </Button>
      </div>
    </Form>
  );
}
