import { useState } from "react";
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
  busy: boolean;
  /** Called when a field gets the focus. */
  onFocus: () => void;
  onSubmit: (values: unknown) => Promise<ResetRequest | null>;
}

export default function ForgottenForm({ busy, onFocus, onSubmit }: ForgottenFormProps) {
  const t = useT();
  const space = useSentenceSpace();
  const [outcome, setOutcome] = useState<ResetRequest | null>(null);

  async function submit(values: unknown) {
    const next = await onSubmit(values);
    setOutcome(next);
    return next ? next.errors : {};
  }

  return (
    <Form busy={busy} onFocus={onFocus} onSubmit={submit} className="grid gap-4.5">
      <div className="grid gap-1">
        <h2 className="font-semibold text-lg tracking-tight">{t("forgotten.title")}</h2>
        <p className="text-ink-2">{t("forgotten.text")}</p>
      </div>
      <EmailField label={t("auth.email")} disabled={busy} />
      <Button type="submit" look="ink" size="large" disabled={busy} className="mt-1 w-full">
        {t("forgotten.submit")}
      </Button>
      {outcome && !outcome.errors ? (
        <p role="status" className="text-ink-2">
          {t("forgotten.onItsWay")}
          {space}
          {outcome.outboxUrl ? (
            <NewTabLink href={outcome.outboxUrl} label={t("mail.openOutbox")} />
          ) : null}
        </p>
      ) : null}
    </Form>
  );
}
